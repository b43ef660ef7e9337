import { ApiError } from '@confetti/api-client'
import type { GalleryUpload } from '@confetti/contracts'
import { isNewer, keepLinks, type Linked, type Position } from './upload-order.ts'

/** Options of a conditional request: an answer that is the same as the last one is not sent again. */
export interface ConditionalRequest {
  headers?: Readonly<Record<string, string>>
  onHeaders?: (headers: Headers) => void
}

/** Options of a request for a list, or for what has changed of it. */
export type FeedRequest = ConditionalRequest & { limit: number; since?: string }

/** An answer to it. */
export interface FeedAnswer<T> {
  uploads: T[]
  nextCursor?: string | undefined
  version?: string | undefined
  removed?: string[] | undefined
  reset?: true | undefined
}

/** What has changed: uploads that are new, or have changed, or neither, and the ids of those that are not shown any more. */
export interface Changes<T = GalleryUpload> {
  uploads: readonly T[]
  removed: readonly string[]
}

export interface FirstPage<T = GalleryUpload> {
  uploads: T[]
  nextCursor: string | undefined
}

/** Requests of which an answer that is the same as the last one is not sent again. */
export const createConditionalRequests = () => {
  let etag: string | undefined

  return {
    /** Resolves with the answer; undefined if it is the same as the last one. */
    ask: async <T>(request: (conditional: ConditionalRequest) => Promise<T>): Promise<T | undefined> => {
      let answered: string | undefined
      try {
        const answer = await request({
          // With this header, fetch uses no cache, and leaves a 304 as it is.
          ...(etag !== undefined && { headers: { 'If-None-Match': etag } }),
          // A gateway that does not let pages read it does not let them send it back, either.
          onHeaders: (headers) => (answered = headers.get('ETag') ?? undefined),
        })
        etag = answered
        return answer
      } catch (error) {
        if (error instanceof ApiError && error.status === 304) return undefined
        throw error
      }
    },
    /** The next answer is sent, whatever it is. */
    forget: (): void => {
      etag = undefined
    },
  }
}

/**
 * Reads a list by its changes. Starts with the first page, and again with it if the server does not know what has changed,
 * or is an older one that never does.
 */
export const createListFeed = () => {
  const { ask, forget } = createConditionalRequests()
  let version: string | undefined
  const restart = (): void => {
    version = undefined
    forget()
  }

  return {
    /**
     * Resolves with the first page, of `limit` uploads, or with what has changed since the last answer; undefined if nothing
     * has.
     */
    read: async <T>(
      request: (feedRequest: FeedRequest) => Promise<FeedAnswer<T>>,
      limit: number,
    ): Promise<{ page: FirstPage<T> } | { changes: Changes<T> } | undefined> => {
      const since = version
      const answer = await ask((conditional) =>
        request({ limit, ...(since !== undefined && { since }), ...conditional }),
      )
      if (!answer) return undefined
      const { uploads, nextCursor, removed, reset } = answer
      version = answer.version
      if (version === undefined) forget()
      return since !== undefined && version !== undefined && !reset
        ? { changes: { uploads, removed: removed ?? [] } }
        : { page: { uploads, nextCursor } }
    },
    /** The next answer is the first page. */
    restart,
  }
}

/** Updates the listed uploads, but adds none. Returns `listed` if nothing has changed. */
export const updateListed = <T extends Linked>(
  listed: readonly T[],
  { uploads, removed }: Changes<T>,
): readonly T[] => {
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
export const insertUploads = <T extends Position>(listed: readonly T[], added: readonly T[]): readonly T[] =>
  added.length === 0 ? listed : [...listed, ...added].sort((a, b) => (isNewer(a, b) ? -1 : 1))

/**
 * Updates a list, and adds what it lacks: of a list that ends with `last`, but has more, only what is newer. `uploads` is
 * `listed` if nothing has changed.
 */
export const applyChanges = <T extends Linked>(
  listed: readonly T[],
  changes: Changes<T>,
  last?: Position,
): { uploads: readonly T[]; added: readonly T[] } => {
  const ids = new Set(listed.map(({ _id }) => _id))
  const added = changes.uploads.filter((upload) => !ids.has(upload._id) && (!last || isNewer(upload, last)))
  return { uploads: insertUploads(updateListed(listed, changes), added), added }
}
