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
