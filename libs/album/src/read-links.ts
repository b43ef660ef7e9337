import type { Upload } from '@confetti/contracts'

// Read links are valid for at least ten minutes.
const MAX_LINK_AGE_MS = 9 * 60_000
// A file that is refused with a newer link has another problem than an expired link.
const MIN_RENEW_INTERVAL_MS = 60_000

/** Holds the read links of `uploads`, which expire; `listUploads` lists the uploads again with new links. */
export const createReadLinks = (
  uploads: readonly Upload[],
  listUploads: () => Promise<readonly Upload[]>,
  now = Date.now,
) => {
  let links = new Map<string, string>()
  let storedAt = 0
  let renewedAt = -Infinity
  let renewal: Promise<void> | undefined

  const store = (list: readonly Upload[]): void => {
    links = new Map(list.map(({ _id, url }) => [_id, url]))
    storedAt = now()
  }
  store(uploads)

  const renewAll = async (): Promise<void> => {
    store(await listUploads())
    renewedAt = now()
  }

  return {
    /** The current link of an upload; undefined if the upload no longer exists. */
    of: (id: string): string | undefined => links.get(id),
    mayHaveExpired: (): boolean => now() - storedAt > MAX_LINK_AGE_MS,
    /**
     * Renews all links, once for concurrent callers, unless `refusedLink` has been replaced in the meantime.
     */
    renew: async (id: string, refusedLink: string): Promise<void> => {
      if (links.get(id) !== refusedLink || now() - renewedAt < MIN_RENEW_INTERVAL_MS) return
      await (renewal ??= renewAll().finally(() => {
        renewal = undefined
      }))
    },
  }
}
export type ReadLinks = ReturnType<typeof createReadLinks>
