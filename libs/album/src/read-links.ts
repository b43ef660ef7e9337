import type { Upload } from '@confetti/contracts'

// Links live at least ten minutes.
const PROBABLY_EXPIRED_MS = 9 * 60_000
// A file that is refused with a new link is refused for another reason than its age.
const RENEW_AT_MOST_EVERY_MS = 60_000

/** The links of `uploads`, which expire; `listAgain` brings new ones for all. */
export const makeReadLinks = (
  uploads: readonly Upload[],
  listAgain: () => Promise<readonly Upload[]>,
  now = Date.now,
) => {
  let links = new Map<string, string>()
  let takenAt = 0
  let renewedAt = -Infinity
  let renewing: Promise<void> | undefined

  const take = (list: readonly Upload[]): void => {
    links = new Map(list.map(({ _id, url }) => [_id, url]))
    takenAt = now()
  }
  take(uploads)

  const renew = async (): Promise<void> => {
    take(await listAgain())
    renewedAt = now()
  }

  return {
    /** The link as it is now; nothing for an upload that is gone. */
    of: (id: string): string | undefined => links.get(id),
    areOld: (): boolean => now() - takenAt > PROBABLY_EXPIRED_MS,
    /** Gets new links, once for all who ask at the same time, unless `refused` has been replaced meanwhile. */
    renew: async (id: string, refused: string): Promise<void> => {
      if (links.get(id) !== refused || now() - renewedAt < RENEW_AT_MOST_EVERY_MS) return
      await (renewing ??= renew().finally(() => {
        renewing = undefined
      }))
    },
  }
}
export type ReadLinks = ReturnType<typeof makeReadLinks>
