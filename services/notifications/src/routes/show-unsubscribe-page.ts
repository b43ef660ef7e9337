import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import { unsubscribePagePolicy } from '../templates/unsubscribe-page.ts'

export interface ShowUnsubscribePageDeps {
  /** The page as HTML. */
  unsubscribePage: string
}

export const showUnsubscribePageRoute = ({
  unsubscribePage,
}: ShowUnsubscribePageDeps): Route<typeof contracts.showUnsubscribePage> => ({
  ...contracts.showUnsubscribePage,
  handle: ({ response }) => {
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': unsubscribePagePolicy,
      'Content-Length': Buffer.byteLength(unsubscribePage),
    })
    response.end(unsubscribePage)
    return Promise.resolve(undefined)
  },
})
