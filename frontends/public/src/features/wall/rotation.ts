import type { GalleryUpload } from '@confetti/contracts'

type WallUpload = Pick<GalleryUpload, '_id' | 'photoCredit' | 'uploadedAt' | 'width' | 'height'>

interface Showing {
  count: number
  /** The turn in which it was shown last. */
  turn: number
}

/** What a wall has shown so far. */
export interface Rotation {
  turn: number
  showings: ReadonlyMap<string, Showing>
}

const NEVER: Showing = { count: 0, turn: -1 }

/** The rotation of a wall that starts with these uploads. */
export const startRotation = (uploads: readonly Pick<WallUpload, '_id'>[]): Rotation => ({
  // Not 0: none was shown in the turn before.
  turn: 1,
  showings: new Map(uploads.map(({ _id }) => [_id, NEVER])),
})

const isPortrait = ({ width, height }: WallUpload): boolean => height > width

/** When a guest was shown last. */
const findGuestTurns = (
  uploads: readonly WallUpload[],
  { showings }: Rotation,
): ReadonlyMap<string, number> => {
  const turns = new Map<string, number>()
  for (const { _id, photoCredit } of uploads)
    turns.set(photoCredit, Math.max(turns.get(photoCredit) ?? -1, showings.get(_id)?.turn ?? -1))
  return turns
}

/** Whether an upload has arrived since the wall started, and was not shown yet. */
const isNew = ({ _id }: WallUpload, { showings }: Rotation): boolean => !showings.has(_id)

interface ArrivalOptions<T> {
  rotation: Rotation
  /** Which uploads can be shown now. */
  canShow: (upload: T) => boolean
}

/** Whether an upload has arrived that was not shown yet. */
export const hasArrivals = <T extends WallUpload>(
  uploads: readonly T[],
  { rotation, canShow }: ArrivalOptions<T>,
): boolean => uploads.some((upload) => isNew(upload, rotation) && canShow(upload))

interface Criteria {
  rotation: Rotation
  guestTurns: ReadonlyMap<string, number>
}

/**
 * Chooses the next upload: first those that have arrived since the wall started and were not shown yet, the oldest
 * first. Then guests take turns, and each of a guest's uploads is shown before one of them is shown again.
 */
const choose = <T extends WallUpload>(
  uploads: readonly T[],
  { rotation, guestTurns }: Criteria,
): T | undefined => {
  const showingOf = ({ _id }: WallUpload): Showing => rotation.showings.get(_id) ?? NEVER
  const arrived = uploads.filter((upload) => isNew(upload, rotation))
  if (arrived.length > 0)
    return arrived.reduce((first, upload) => (upload.uploadedAt < first.uploadedAt ? upload : first))
  const rank = (upload: WallUpload): readonly number[] => [
    guestTurns.get(upload.photoCredit) ?? -1,
    showingOf(upload).count,
    showingOf(upload).turn,
  ]
  const isBefore = (one: WallUpload, other: WallUpload): boolean => {
    const otherRank = rank(other)
    const difference = rank(one)
      .map((value, index) => value - (otherRank[index] ?? 0))
      .find((value) => value !== 0)
    return (difference ?? 0) < 0
  }
  return uploads.reduce<T | undefined>(
    (first, upload) => (first === undefined || isBefore(upload, first) ? upload : first),
    undefined,
  )
}

const record = (rotation: Rotation, shown: readonly WallUpload[], known: readonly WallUpload[]): Rotation => {
  const knownIds = new Set(known.map(({ _id }) => _id))
  const showings = new Map([...rotation.showings].filter(([id]) => knownIds.has(id)))
  for (const { _id } of shown)
    showings.set(_id, { count: (showings.get(_id)?.count ?? 0) + 1, turn: rotation.turn })
  return { turn: rotation.turn + 1, showings }
}

interface Options<T> extends ArrivalOptions<T> {
  uploads: readonly T[]
  /** Whether two portraits fit side by side. */
  isWide: boolean
}

/** Chooses what a wall shows next, one upload or two portraits, none of which it shows now unless there is no other. */
export const chooseSlide = <T extends WallUpload>({
  uploads,
  rotation,
  canShow,
  isWide,
}: Options<T>): { slide: readonly T[]; rotation: Rotation } => {
  const isShownNow = ({ _id }: WallUpload): boolean => rotation.showings.get(_id)?.turn === rotation.turn - 1
  const showable = uploads.filter(canShow)
  const others = showable.filter((upload) => !isShownNow(upload))
  const candidates = others.length > 0 ? others : showable
  const criteria = { rotation, guestTurns: findGuestTurns(uploads, rotation) }
  const first = choose(candidates, criteria)
  if (!first) return { slide: [], rotation }
  const partners = candidates.filter((upload) => upload._id !== first._id && isPortrait(upload))
  const second = isWide && isPortrait(first) ? choose(partners, criteria) : undefined
  const slide = second ? [first, second] : [first]
  return { slide, rotation: record(rotation, slide, uploads) }
}
