import type { Upload } from '@confetti/contracts'

export type Position = Pick<Upload, 'uploadedAt' | '_id'>

/** Whether `one` comes before `other` in the order of the server: newest first, then by descending id. */
export const isNewer = (one: Position, other: Position): boolean =>
  one.uploadedAt === other.uploadedAt ? one._id > other._id : one.uploadedAt > other.uploadedAt

interface Page<T> {
  uploads: readonly T[]
  nextCursor?: string | undefined
}

/**
 * Whether a page shows that an upload is no longer listed: the page lacks it, and does not end before it. Otherwise newer
 * uploads may have moved it to the next page.
 */
export const isUnlisted = <T extends Position>(upload: T, { uploads, nextCursor }: Page<T>): boolean => {
  const oldest = nextCursor === undefined ? undefined : uploads.at(-1)
  return uploads.every(({ _id }) => _id !== upload._id) && (!oldest || isNewer(upload, oldest))
}

/** Whether all fields of an upload are as before, whatever they are. */
const isUnchanged = <T extends object>(one: T, other: T): boolean => {
  const names = Object.keys({ ...one, ...other }) as (keyof T)[]
  return names.every((name) => one[name] === other[name])
}

const linkNames = ['url', 'thumbnailUrl', 'previewUrl', 'videoUrl'] as const

/** An upload with the links that it has by now. */
export type Linked = Position & Readonly<Partial<Record<(typeof linkNames)[number], string | undefined>>>

/**
 * Returns `next` with the links of `known`, so that pictures are not downloaded again: answers renew the links. Returns
 * `known` if nothing else has changed.
 */
export const keepLinks = <T extends Linked>(known: T, next: T): T => {
  const links = linkNames.flatMap((name) => (known[name] && next[name] ? [[name, known[name]] as const] : []))
  const kept: T = { ...next, ...Object.fromEntries(links) }
  return isUnchanged(known, kept) ? known : kept
}

/**
 * Returns `next` with the unchanged objects of `known`, so that their cards are not rendered again. Returns
 * `known` if nothing changed.
 */
export const keepUnchanged = (known: readonly Upload[], next: readonly Upload[]): readonly Upload[] => {
  const before = new Map(known.map((upload) => [upload._id, upload]))
  const kept = next.map((upload) => {
    const old = before.get(upload._id)
    return old && isUnchanged(old, upload) ? old : upload
  })
  const isSameList = kept.length === known.length && kept.every((upload, index) => upload === known[index])
  return isSameList ? known : kept
}

/** The ids of the `newest` uploads that are not known. */
export const findArrived = (known: readonly Upload[], newest: readonly Upload[]): ReadonlySet<string> => {
  const knownIds = new Set(known.map(({ _id }) => _id))
  return new Set(newest.map(({ _id }) => _id).filter((id) => !knownIds.has(id)))
}

/** How many uploads are newer than `top`. */
export const countNewer = (top: Position, uploads: readonly Upload[]): number =>
  Math.max(
    0,
    uploads.findIndex((upload) => !isNewer(upload, top)),
  )
