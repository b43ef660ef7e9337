import type { serviceRoutes } from '@confetti/contracts'
import type { Handlers } from '@confetti/service-kit'
import type { Unsubscribing } from './digests/unsubscribing.ts'
import { unsubscribePagePolicy } from './templates/unsubscribe-page.ts'

interface Deps {
  unsubscribe: Unsubscribing['unsubscribe']
  /** The page as HTML, for somebody who prefers these languages. */
  renderUnsubscribePage: (languages: readonly string[]) => string
}

export const notificationRoutes = ({
  unsubscribe,
  renderUnsubscribePage,
}: Deps): Handlers<typeof serviceRoutes.notifications> => ({
  unsubscribe: async ({ query }) => {
    await unsubscribe(query.subscription)
    return { message: 'You will get no more mails about new photos of this event.' }
  },
  showUnsubscribePage: ({ response, languages }) => {
    const page = renderUnsubscribePage(languages)
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': unsubscribePagePolicy,
      'Content-Length': Buffer.byteLength(page),
    })
    response.end(page)
    return undefined
  },
})
