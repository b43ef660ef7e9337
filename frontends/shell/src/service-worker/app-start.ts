import { registerRoute } from 'workbox-routing'
import { getSetting, NO_EVENT } from '@confetti/guest-storage'
import { pageStrategy } from './pages.ts'
import { isAppStart } from './rules.ts'

/** Returns the page of the event that was opened last, if it accepts uploads. */
const findStartPage = async (url: URL): Promise<URL | undefined> => {
  const eventId = (await getSetting('lastEventId').catch(() => undefined)) ?? NO_EVENT
  return eventId === NO_EVENT ? undefined : new URL(`/upload?eventId=${eventId}`, url)
}

/** Opens the installed app, by the manifest's `start_url`, with the last event, and without one with the landing page. */
export const serveAppStart = (): void => {
  registerRoute(
    ({ url }) => isAppStart(url),
    async (options) => {
      const page = await findStartPage(options.url)
      return page ? Response.redirect(page, 302) : pageStrategy.handle(options)
    },
  )
}
