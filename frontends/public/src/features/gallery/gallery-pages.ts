import { insertUploads, updateListed, type Changes, type FirstPage } from '@confetti/album/list-feed'
import { isNewer, isUnlisted, type Position } from '@confetti/album/upload-order'
import type { GalleryUpload } from '@confetti/contracts'

/** Links are valid for 15 minutes at most. */
const LINKS_FRESH_MS = 9 * 60_000

/** A page of the list that has been loaded. */
export interface LoadedPage {
  /** The cursor with which it was requested. */
  after: string | undefined
  nextCursor: string | undefined
  /** Where the next page begins; undefined if there is none. */
  end: Position | undefined
  uploads: readonly GalleryUpload[]
  /** When its links were requested; undefined if they are to be renewed. */
  requestedAt: number | undefined
  /** Whether changes of it may have been missed. */
  isOutdated: boolean
}

export const toLoadedPage = (
  { uploads, nextCursor }: FirstPage,
  after: string | undefined,
  requestedAt: number,
): LoadedPage => ({
  after,
  nextCursor,
  end: nextCursor === undefined ? undefined : uploads.at(-1),
  uploads,
  requestedAt,
  isOutdated: false,
})

export const needsLinks = ({ requestedAt }: LoadedPage, now: number): boolean =>
  requestedAt === undefined || now - requestedAt > LINKS_FRESH_MS

const isWithin = (upload: GalleryUpload, { end }: LoadedPage): boolean => !end || isNewer(upload, end)

/** All uploads of the pages. One that is in two of them, because others were deleted between the requests, is there once. */
export const joinPages = (pages: readonly LoadedPage[]): readonly GalleryUpload[] => [
  ...new Map(pages.flatMap(({ uploads }) => uploads).map((upload) => [upload._id, upload])).values(),
]

/** The pages that are looked at: they have some of the uploads from `first` to `last`, by their indices. */
export const findVisiblePages = (
  pages: readonly LoadedPage[],
  { first, last }: { first: number; last: number },
): readonly LoadedPage[] => {
  let start = 0
  return pages.filter(({ uploads }) => {
    const end = start + uploads.length
    const isVisible = start <= last && end > first
    start = end
    return isVisible || uploads.length === 0
  })
}

/** The pages of a gallery that have been loaded. */
export interface LoadedPages {
  pages: readonly LoadedPage[]
  /** Have become visible within the loaded pages, and are not shown yet: what is on the screen does not move. */
  unseen: readonly GalleryUpload[]
}

/** Takes what has become visible within the loaded pages as not shown yet. */
export const addUnseen = (loaded: LoadedPages, uploads: readonly GalleryUpload[]): LoadedPages => {
  const { pages, unseen } = loaded
  const known = new Set([...joinPages(pages), ...unseen].map(({ _id }) => _id))
  const last = pages.at(-1)
  const added = uploads.filter((upload) => !known.has(upload._id) && last && isWithin(upload, last))
  return added.length > 0 ? { pages, unseen: [...unseen, ...added] } : loaded
}

/** Shows those of the unseen uploads that `isShown` selects. */
export const showUnseen = (
  loaded: LoadedPages,
  isShown: (upload: GalleryUpload) => boolean = () => true,
): LoadedPages => {
  let rest = loaded.unseen.filter(isShown)
  if (rest.length === 0) return loaded
  const unseen = loaded.unseen.filter((upload) => !rest.includes(upload))
  const pages = loaded.pages.map((page) => {
    const own = rest.filter((upload) => isWithin(upload, page))
    rest = rest.filter((upload) => !own.includes(upload))
    return { ...page, uploads: insertUploads(page.uploads, own) }
  })
  return { pages, unseen }
}

/** Updates what is loaded. Returns `loaded` if nothing of it has changed. */
export const updatePages = (loaded: LoadedPages, changes: Changes): LoadedPages => {
  const pages = loaded.pages.map((page) => {
    const uploads = updateListed(page.uploads, changes)
    return uploads === page.uploads ? page : { ...page, uploads }
  })
  const remaining = { ...loaded, unseen: updateListed(loaded.unseen, changes) }
  const { unseen } = addUnseen(remaining, changes.uploads)
  const isSame = unseen === loaded.unseen && pages.every((page, index) => page === loaded.pages[index])
  return isSame ? loaded : { pages, unseen }
}

/** What has changed on a page by a new answer to its request; undefined if the page is not loaded any more. */
export const findChanges = (
  { pages, unseen }: LoadedPages,
  after: string | undefined,
  answer: FirstPage,
): Changes | undefined => {
  const index = pages.findIndex((page) => page.after === after)
  const page = pages[index]
  if (!page) return undefined
  const start = pages[index - 1]?.end
  const isOwn = (upload: GalleryUpload): boolean =>
    isWithin(upload, page) && (!start || isNewer(start, upload))
  const own = [...page.uploads, ...unseen.filter(isOwn)]
  const removed = own.filter((upload) => isUnlisted(upload, answer)).map(({ _id }) => _id)
  return { uploads: answer.uploads, removed }
}

/** Takes the links of a new answer to the request of a page, if it needs some. What has changed of it is updated already. */
export const renewPage = (
  loaded: LoadedPages,
  after: string | undefined,
  { uploads, requestedAt, now }: Pick<FirstPage, 'uploads'> & { requestedAt: number; now: number },
): LoadedPages => {
  const byId = new Map(uploads.map((upload) => [upload._id, upload]))
  const renew = (page: LoadedPage): LoadedPage => ({
    ...page,
    ...(needsLinks(page, now) && {
      uploads: page.uploads.map((upload) => byId.get(upload._id) ?? upload),
      requestedAt,
    }),
    isOutdated: false,
  })
  return { ...loaded, pages: loaded.pages.map((page) => (page.after === after ? renew(page) : page)) }
}
