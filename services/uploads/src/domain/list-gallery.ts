import type { GalleryUpload } from '@confetti/contracts'
import { decodeCursor, encodeCursor, pickDefined, type Clock, type PageRequest } from '@confetti/service-kit'
import type { FindGallery, FindWall } from './find-gallery.ts'
import type { PreviewLinks } from './read-links.ts'
import type { StoredUpload, UploadStore } from './upload.ts'

interface Deps {
  uploads: Pick<UploadStore, 'listVisible'>
  createPreviewLinks: (upload: StoredUpload, now: Date) => PreviewLinks
  clock: Clock
}

interface Query {
  limit: number
  after?: string | undefined
}

interface GalleryPage {
  uploads: GalleryUpload[]
  nextCursor?: string
}

/** Throws `invalid` for a malformed cursor, whether or not the caller may read the list. */
const toPageRequest = ({ limit, after }: Query): PageRequest => ({
  limit,
  after: after ? decodeCursor(after) : undefined,
})

const makeListPage = ({ uploads, createPreviewLinks, clock }: Deps) => {
  /** What guests see of an upload. Files without dimensions are not shown. */
  const toGalleryUpload = (upload: StoredUpload, now: Date): GalleryUpload[] => {
    const { _id, photoCredit, uploadedAt, width, height } = upload
    if (!width || !height) return []
    return [
      {
        _id,
        photoCredit,
        uploadedAt: uploadedAt.toISOString(),
        ...pickDefined(upload, ['takenAt', 'durationSeconds']),
        width,
        height,
        ...createPreviewLinks(upload, now),
      },
    ]
  }
  return async (eventId: string, request: PageRequest): Promise<GalleryPage> => {
    const page = await uploads.listVisible(eventId, request)
    const now = clock()
    return {
      uploads: page.uploads.flatMap((upload) => toGalleryUpload(upload, now)),
      ...(page.next && { nextCursor: encodeCursor(page.next) }),
    }
  }
}

/** Lists one page of what guests see of an event. Throws `notFound` while its gallery is not open. */
export const makeListGallery = ({ findGallery, ...deps }: Deps & { findGallery: FindGallery }) => {
  const listPage = makeListPage(deps)
  return async (eventId: string, query: Query): Promise<GalleryPage> => {
    const request = toPageRequest(query)
    return listPage((await findGallery(eventId))._id, request)
  }
}
export type ListGallery = ReturnType<typeof makeListGallery>

/** Lists the same for the live wall, whether or not the gallery is open. Throws `notFound` without the wall's key. */
export const makeListWall = ({ findWall, ...deps }: Deps & { findWall: FindWall }) => {
  const listPage = makeListPage(deps)
  return async (eventId: string, key: string | undefined, query: Query): Promise<GalleryPage> => {
    const request = toPageRequest(query)
    return listPage((await findWall(eventId, key))._id, request)
  }
}
export type ListWall = ReturnType<typeof makeListWall>
