import { ApiError } from '@confetti/api-client'
import type { GalleryUpload } from '@confetti/contracts'
import { isNewer, keepLinks } from './upload-order.ts'

interface FeedAnswer {
  uploads: GalleryUpload[]
  nextCursor?: string | undefined
  version?: string | undefined
  removed?: string[] | undefined
  reset?: true | undefined
}

/** What a request of a list by its changes has. */
export interface FeedRequest {
  limit: number
  since?: string
  headers?: Readonly<Record<string, string>>
  onHeaders?: (headers: Headers) => void
}

/** What has changed: uploads that are new, or have changed, or neither, and the ids of those that are not shown any more. */
export interface Changes {
  uploads: readonly GalleryUpload[]
  removed: readonly string[]
}

export interface FirstPage {
  uploads: GalleryUpload[]
  nextCursor: string | undefined
}

/**
 * Reads a list by its changes. Starts with the first page, and again with it if the server does not know what has changed,
 * or is an older one that never does.
 */
export const createListFeed = (request: (feedRequest: FeedRequest) => Promise<FeedAnswer>) => {
  let known: { version: string; etag: string | undefined } | undefined

  return {
    /**
     * Resolves with the first page, of `limit` uploads, or with what has changed since the last answer; undefined if nothing
     * has.
     */
    read: async (limit: number): Promise<{ page: FirstPage } | { changes: Changes } | undefined> => {
      const before = known
      let etag: string | undefined
      try {
        const { uploads, nextCursor, version, removed, reset } = await request({
          limit,
          ...(before && { since: before.version }),
          // With this header, fetch uses no cache, and leaves a 304 as it is.
          ...(before?.etag !== undefined && { headers: { 'If-None-Match': before.etag } }),
          // A gateway that does not let pages read it does not let them send it back, either.
          onHeaders: (headers) => (etag = headers.get('ETag') ?? undefined),
        })
        known = version === undefined ? undefined : { version, etag }
        return before && known && !reset
          ? { changes: { uploads, removed: removed ?? [] } }
          : { page: { uploads, nextCursor } }
      } catch (error) {
        if (error instanceof ApiError && error.status === 304) return undefined
        throw error
      }
    },
    /** The next answer is the first page. */
    restart: (): void => {
      known = undefined
    },
  }
}

/** Updates the listed uploads, but adds none. Returns `listed` if nothing has changed. */
export const updateListed = (
  listed: readonly GalleryUpload[],
  { uploads, removed }: Changes,
): readonly GalleryUpload[] => {
  const changed = new Map(uploads.map((upload) => [upload._id, upload]))
  const gone = new Set(removed)
  const updated = listed
    .filter(({ _id }) => !gone.has(_id))
    .map((upload) => {
      const next = changed.get(upload._id)
      return next ? keepLinks(upload, next) : upload
    })
  const isSame =
    updated.length === listed.length && updated.every((upload, index) => upload === listed[index])
  return isSame ? listed : updated
}

/** Adds uploads where they belong in a list, newest first. */
export const insertUploads = (
  listed: readonly GalleryUpload[],
  added: readonly GalleryUpload[],
): readonly GalleryUpload[] =>
  added.length === 0 ? listed : [...listed, ...added].sort((a, b) => (isNewer(a, b) ? -1 : 1))
