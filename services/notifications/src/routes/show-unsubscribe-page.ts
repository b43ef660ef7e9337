import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import { unsubscribePagePolicy } from '../templates/unsubscribe-page.ts'

export interface ShowUnsubscribePageDeps {
  /** The page as HTML, for somebody who prefers these languages. */
  renderUnsubscribePage: (languages: readonly string[]) => string
}

export const showUnsubscribePageRoute = ({
  renderUnsubscribePage,
}: ShowUnsubscribePageDeps): Route<typeof contracts.showUnsubscribePage> => ({
  ...contracts.showUnsubscribePage,
  handle: ({ response, languages }) => {
    const page = renderUnsubscribePage(languages)
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': unsubscribePagePolicy,
      'Content-Length': Buffer.byteLength(page),
    })
    response.end(page)
    return Promise.resolve(undefined)
  },
})
