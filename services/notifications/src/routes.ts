import type { serviceRoutes } from '@confetti/contracts'
import type { Handlers } from '@confetti/service-kit'
import type { Deps } from './deps.ts'
import type { Digests } from './digests/digests.ts'
import { getTexts } from './templates/texts.ts'
import { renderUnsubscribePage, unsubscribePagePolicy } from './templates/unsubscribe-page.ts'

export const notificationRoutes = (
  { site }: Deps,
  { unsubscribe }: Digests,
): Handlers<typeof serviceRoutes.notifications> => ({
  unsubscribe: async ({ query }) => {
    await unsubscribe(query.subscription)
    return { message: 'You will get no more mails about new photos of this event.' }
  },
  showUnsubscribePage: ({ response, languages }) => {
    const page = renderUnsubscribePage(site, getTexts(...languages))
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': unsubscribePagePolicy,
      'Content-Length': Buffer.byteLength(page),
    })
    response.end(page)
    return undefined
  },
})
