// What the service worker stores, by URL. The page applies the same rules to what it loaded before the worker started.

/** Files of the shell and the remotes that have a content hash in their names and never change. */
export const isHashedFile = ({ pathname }: URL): boolean => /\.[0-9a-f]{10}\.\w+$/.test(pathname)

/** Pages of the shell, which all have the same index.html. The API can have the same origin as the shell. */
export const isPage = ({ origin, pathname }: URL): boolean =>
  origin === location.origin && !pathname.includes('.') && !/^\/api(\/|$)/.test(pathname)

/** The `start_url` of the manifest. The page itself is that of `/`. */
export const isAppStart = ({ origin, pathname, searchParams }: URL): boolean =>
  origin === location.origin && pathname === '/' && searchParams.has('app')

/** The files that say which release of each remote is current. */
export const isReleaseFile = ({ origin, pathname }: URL): boolean =>
  (origin === location.origin && pathname === '/config.json') || pathname.endsWith('/mf-manifest.json')

/** The view of an event. Members request it at the same URL, but with an Authorization header. */
export const isEvent = ({ pathname }: URL): boolean => /^\/api\/events\/[0-9a-f]{24}$/.test(pathname)

/** What a page sends to the active worker that does not control it. */
export const CLAIM_MESSAGE = 'claim'

const PREFIX = 'confetti-'

/** The names of the caches. Increase the version when entries of earlier rules must not be used any more. */
export const cacheNames = {
  hashedFiles: `${PREFIX}v1-hashed-files`,
  pages: `${PREFIX}v1-pages`,
  releaseFiles: `${PREFIX}v1-release-files`,
  events: `${PREFIX}v1-events`,
} as const

/** Deletes all caches of the service worker except those with these names. */
export const deleteCaches = async (except: readonly string[] = []): Promise<void> => {
  const names = await caches.keys()
  const deleted = names.filter((name) => name.startsWith(PREFIX) && !except.includes(name))
  await Promise.all(deleted.map((name) => caches.delete(name)))
}
