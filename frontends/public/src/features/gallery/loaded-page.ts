import type { GalleryUpload } from '@confetti/contracts'
import type { GalleryPage } from './gallery-api.ts'

/** A page of the list that has been loaded. */
export interface LoadedPage {
  /** The cursor with which it was requested. */
  after: string | undefined
  nextCursor: string | undefined
  uploads: readonly GalleryUpload[]
  /** When its links were requested. */
  requestedAt: number
  /** How many uploads it lacks, because they became visible after it was loaded. */
  newCount: number
}

/** Whether `one` comes before `other` in the order of the server. */
const isNewer = (one: GalleryUpload, other: GalleryUpload): boolean =>
  one.uploadedAt === other.uploadedAt ? one._id > other._id : one.uploadedAt > other.uploadedAt

/** Whether an upload is not listed any more: a page that would have it does not. Newer uploads may push it out of a page. */
export const isUnlisted = (upload: GalleryUpload, { uploads, nextCursor }: GalleryPage): boolean => {
  const oldest = nextCursor === undefined ? undefined : uploads.at(-1)
  return uploads.every(({ _id }) => _id !== upload._id) && (!oldest || isNewer(upload, oldest))
}

/** How many of the listed uploads belong to a page that lacks them. */
const countNew = ({ uploads, nextCursor }: LoadedPage, listed: readonly GalleryUpload[]): number => {
  const known = new Set(uploads.map(({ _id }) => _id))
  const oldest = nextCursor === undefined ? undefined : uploads.at(-1)
  return listed.filter((upload) => !known.has(upload._id) && (!oldest || isNewer(upload, oldest))).length
}

/**
 * Brings a page up to date: removes what is no longer listed, and takes new links if `renewLinks` is set, or if an upload
 * has got its video. It adds nothing, so that what is on the screen does not move, but counts what it lacks. What may only
 * have been pushed out of the answer by newer uploads stays.
 */
export const refreshPage = (
  page: LoadedPage,
  answer: GalleryPage,
  { renewLinks, requestedAt }: { renewLinks: boolean; requestedAt: number },
): LoadedPage => {
  const byId = new Map(answer.uploads.map((upload) => [upload._id, upload]))
  const newCount = countNew(page, answer.uploads)
  let isChanged = renewLinks || newCount !== page.newCount
  const uploads = page.uploads.flatMap((known) => {
    const current = byId.get(known._id)
    if (!current && !isUnlisted(known, answer)) return [known]
    const isKept =
      current !== undefined &&
      !renewLinks &&
      (current.videoUrl !== undefined) === (known.videoUrl !== undefined)
    if (isKept) return [known]
    isChanged = true
    return current ? [current] : []
  })
  return isChanged
    ? { ...page, uploads, newCount, requestedAt: renewLinks ? requestedAt : page.requestedAt }
    : page
}

/** All uploads of the pages. One that is in two of them, because others were deleted between the requests, is there once. */
export const joinPages = (pages: readonly LoadedPage[]): readonly GalleryUpload[] => [
  ...new Map(pages.flatMap(({ uploads }) => uploads).map((upload) => [upload._id, upload])).values(),
]
