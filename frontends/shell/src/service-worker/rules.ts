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
