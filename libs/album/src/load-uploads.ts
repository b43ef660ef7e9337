import type { Upload, UploadTotal } from '@confetti/contracts'
import { applyChanges, createListFeed, type ConditionalRequest, type FeedAnswer } from './list-feed.ts'
import { requestWithTimeout } from './request-with-timeout.ts'
import { keepUnchanged } from './upload-order.ts'

/** Fetches one page of an event's uploads, newest first, or what has changed; the first page has their total. `quiet` calls do not show the loading overlay. */
export type ListPage = (
  query: { limit: number; after?: string; since?: string },
  options: { signal: AbortSignal; quiet: boolean } & ConditionalRequest,
) => Promise<FeedAnswer<Upload> & { total?: UploadTotal | undefined }>

/** Much longer than the server takes for a page, also on a slow line. */
const PAGE_TIMEOUT_MS = 60_000

/** Ends each request that gets no response in time, so that the list is asked for again. */
export const withTimeLimit =
  (listPage: ListPage): ListPage =>
  (query, { signal, ...options }) =>
    requestWithTimeout(
      signal,
      (timedSignal) => listPage(query, { ...options, signal: timedSignal }),
      PAGE_TIMEOUT_MS,
    )

/** Uploads per page. */
export const PAGE_SIZE = 500

/** Lists the uploads of a first page and of all that follow. Calls `onPage` with what has been loaded before each of these. */
const loadRest = async (
  listPage: ListPage,
  { uploads: first, nextCursor }: { uploads: readonly Upload[]; nextCursor?: string | undefined },
  signal: AbortSignal,
  onPage?: (uploads: readonly Upload[]) => void,
): Promise<readonly Upload[]> => {
  let uploads = first
  let after = nextCursor
  signal.throwIfAborted()
  while (after !== undefined) {
    onPage?.(uploads)
    const page = await listPage({ limit: PAGE_SIZE, after }, { signal, quiet: true })
    signal.throwIfAborted()
    uploads = [...uploads, ...page.uploads]
    after = page.nextCursor
  }
  return uploads
}

/** Lists all uploads of an event, page by page. */
export const listAllUploads = async (listPage: ListPage, signal: AbortSignal): Promise<readonly Upload[]> =>
  loadRest(listPage, await listPage({ limit: PAGE_SIZE }, { signal, quiet: true }), signal)

// Read links are valid for at least ten minutes.
const LINKS_FRESH_MS = 8 * 60_000

export interface UploadList {
  /** Newest first. */
  uploads: readonly Upload[]
  /** Whether these are all uploads of the event: false while further pages are loading. */
  isComplete: boolean
  /** The ids of the uploads that the last request with new uploads found. */
  arrivedIds: ReadonlySet<string>
}

export const emptyList: UploadList = { uploads: [], isComplete: false, arrivedIds: new Set() }

export const hasUploads = ({ uploads, isComplete }: UploadList): boolean => isComplete || uploads.length > 0

interface LoadOptions {
  listPage: ListPage
  signal: AbortSignal
  /** Called with what has been loaded so far. */
  onProgress: (list: UploadList) => void
}

/** The list of an event's uploads, as the server has it: all pages at first, and then what has changed. */
export const createUploadList = () => {
  const feed = createListFeed()
  let list = emptyList
  /** When the read links were requested; undefined if they are to be renewed. */
  let linksRequestedAt: number | undefined
  const linkAgeMs = (): number => (linksRequestedAt === undefined ? Infinity : Date.now() - linksRequestedAt)

  return {
    /** How old the read links are; Infinity if they are to be renewed. */
    linkAgeMs,
    /** The next request loads the whole list, with new links. */
    expire: (): void => {
      linksRequestedAt = undefined
    },
    /** Loads all pages if the links are to be renewed, otherwise what has changed. Returns the whole list. */
    load: async ({ listPage, signal, onProgress }: LoadOptions): Promise<UploadList> => {
      if (linkAgeMs() > LINKS_FRESH_MS) feed.restart()
      const requestedAt = Date.now()
      const quiet = list.uploads.length > 0
      const answer = await feed.read(
        ({ headers, onHeaders, ...query }) =>
          listPage(query, { signal, quiet, ...(headers && { headers }), ...(onHeaders && { onHeaders }) }),
        PAGE_SIZE,
      )
      if (answer && 'page' in answer) {
        // Until its last page has been loaded.
        linksRequestedAt = undefined
        const all = await loadRest(listPage, answer.page, signal, (uploads) => {
          // A partly loaded list does not replace a longer one.
          if (list.isComplete || uploads.length < list.uploads.length) return
          list = { ...list, uploads: keepUnchanged(list.uploads, uploads) }
          onProgress(list)
        })
        list = { ...list, uploads: keepUnchanged(list.uploads, all), isComplete: true }
        linksRequestedAt = requestedAt
      } else if (answer) {
        const { uploads, added } = applyChanges(list.uploads, answer.changes)
        const arrivedIds = added.length > 0 ? new Set(added.map(({ _id }) => _id)) : list.arrivedIds
        if (uploads !== list.uploads) list = { ...list, uploads, arrivedIds }
      }
      return list
    },
  }
}
