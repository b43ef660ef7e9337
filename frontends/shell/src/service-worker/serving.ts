import { getSetting, NO_EVENT } from '@confetti/guest-storage'
import type { WorkboxPlugin } from 'workbox-core'
import { ExpirationPlugin, type ExpirationPluginOptions } from 'workbox-expiration'
import { registerRoute } from 'workbox-routing'
import { CacheFirst, NetworkFirst } from 'workbox-strategies'
import { deleteMissing, storeEvent, storeOnly, withoutQuery } from './plugins.ts'
import { receiveShare } from './receive-share.ts'
import { cacheNames, isAppStart, isEvent, isHashedFile, isPage, isReleaseFile } from './rules.ts'

// What is answered from the caches, and when.

/** How long to wait for the network before a cached copy is used. Without a copy there is no limit. */
const NETWORK_TIMEOUT_SECONDS = 3
const DAY_SECONDS = 24 * 60 * 60

const expire = (options: ExpirationPluginOptions): WorkboxPlugin =>
  new ExpirationPlugin({ ...options, purgeOnQuotaError: true })

const networkFirst = (cacheName: string, plugins: WorkboxPlugin[]): NetworkFirst =>
  new NetworkFirst({ cacheName, networkTimeoutSeconds: NETWORK_TIMEOUT_SECONDS, plugins })

/** Files that never change, from the cache: those of two releases of all frontends, the unused ones removed first. */
const hashedFiles = new CacheFirst({
  cacheName: cacheNames.hashedFiles,
  plugins: [
    storeOnly(/javascript|css|font|image/),
    expire({ maxEntries: 200, maxAgeSeconds: 30 * DAY_SECONDS }),
  ],
})

/** The shell's index.html. One entry for all paths, because they have the same content. */
const pages = networkFirst(cacheNames.pages, [
  storeOnly(/html/),
  { cacheKeyWillBeUsed: () => Promise.resolve('/') },
])

/** /config.json and the remotes' manifests. Each version of a remote can have a manifest at a path of its own. */
const releaseFiles = networkFirst(cacheNames.releaseFiles, [
  storeOnly(/json/),
  withoutQuery,
  expire({ maxEntries: 20 }),
])

/** Events as guests see them, so that the upload page opens without a network. */
const events = networkFirst(cacheNames.events, [
  storeEvent,
  deleteMissing,
  withoutQuery,
  expire({ maxEntries: 5, maxAgeSeconds: 14 * DAY_SECONDS }),
])

/** Returns the page of the event that was opened last, if it accepts uploads. */
const findStartPage = async (url: URL): Promise<URL | undefined> => {
  const eventId = (await getSetting('lastEventId').catch(() => undefined)) ?? NO_EVENT
  return eventId === NO_EVENT ? undefined : new URL(`/upload?eventId=${eventId}`, url)
}

/** Answers requests for pages, code and events, as far as possible without a network, and receives shared files. */
export const serveFiles = (): void => {
  registerRoute(({ url }) => isHashedFile(url), hashedFiles)
  // Before the pages, of which it is one. The installed app opens with the last event, otherwise with the landing page.
  registerRoute(
    ({ url }) => isAppStart(url),
    async (options) => {
      const page = await findStartPage(options.url)
      return page ? Response.redirect(page, 302) : pages.handle(options)
    },
  )
  registerRoute(({ url }) => isPage(url), pages)
  registerRoute(({ url }) => isReleaseFile(url), releaseFiles)
  registerRoute(({ url, request }) => isEvent(url) && !request.headers.has('Authorization'), events)
  // What the phone's gallery shares with the installed app, as the manifest offers in `share_target`.
  registerRoute(
    ({ url }) => url.origin === location.origin && url.pathname === '/share',
    ({ request }) => receiveShare(request),
    'POST',
  )
}
