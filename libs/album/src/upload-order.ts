import type { Upload } from '@confetti/contracts'

type Placed = Pick<Upload, 'uploadedAt' | '_id'>

/** Whether `one` stands before `other` in a list, which has the newest first, as the server orders it. */
export const isNewer = (one: Placed, other: Placed): boolean =>
  one.uploadedAt === other.uploadedAt ? one._id > other._id : one.uploadedAt > other.uploadedAt

const isSame = (one: Upload, other: Upload): boolean => one.status === other.status && one.url === other.url

/** `next`, with what has not changed taken from `known`, so that nothing is drawn again for nothing. */
export const keepSame = (known: readonly Upload[], next: readonly Upload[]): readonly Upload[] => {
  const before = new Map(known.map((upload) => [upload._id, upload]))
  const kept = next.map((upload) => {
    const old = before.get(upload._id)
    return old && isSame(old, upload) ? old : upload
  })
  const unchanged = kept.length === known.length && kept.every((upload, index) => upload === known[index])
  return unchanged ? known : kept
}

/** Whether uploads that nobody has seen may lie between the `newest` ones and those that are known. */
export const leavesGap = (known: readonly Upload[], newest: readonly Upload[]): boolean => {
  const oldest = newest.at(-1)
  const first = known[0]
  return !oldest || !first || isNewer(oldest, first)
}

/** What is known, brought up to date by the newest: down to the last of those, what they lack is gone. */
export const withNewest = (known: readonly Upload[], newest: readonly Upload[]): readonly Upload[] => {
  const oldest = newest.at(-1)
  return oldest ? [...newest, ...known.filter((upload) => isNewer(oldest, upload))] : known
}

/** How many uploads stand before `top`, which was the first one before. */
export const newerThan = (top: Placed, uploads: readonly Upload[]): number =>
  Math.max(
    0,
    uploads.findIndex((upload) => !isNewer(upload, top)),
  )
