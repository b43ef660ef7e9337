import type { Upload, UploadTotal } from '@confetti/contracts'
import { requestWithTimeout } from './request-with-timeout.ts'
import { findArrived, isNewer, keepUnchanged, leavesGap, mergePage, type Position } from './upload-order.ts'

/** Fetches one page of an event's uploads, newest first; the first one has their total. `quiet` calls do not show the loading overlay. */
export type ListPage = (
  query: { limit: number; after?: string },
  options: { signal: AbortSignal; quiet: boolean },
) => Promise<{ uploads: Upload[]; nextCursor?: string | undefined; total?: UploadTotal | undefined }>

/** Much longer than the server takes for a page, also on a slow line. */
const PAGE_TIMEOUT_MS = 60_000

/** Ends each request that gets no response in time, so that the list is asked for again. */
export const withTimeLimit =
  (listPage: ListPage): ListPage =>
  (query, { signal, quiet }) =>
    requestWithTimeout(
      signal,
      (timedSignal) => listPage(query, { signal: timedSignal, quiet }),
      PAGE_TIMEOUT_MS,
    )

/** Uploads per page. */
export const PAGE_SIZE = 500

interface ListOptions {
  signal: AbortSignal
  quiet?: boolean
  /** Called after each page with all uploads so far, and with the cursor of the next page if there is one. */
  onPage?: (uploads: readonly Upload[], nextCursor: string | undefined) => void
}

/** Lists all uploads of an event, page by page. */
export const listAllUploads = async (
  listPage: ListPage,
  { signal, quiet = false, onPage }: ListOptions,
): Promise<readonly Upload[]> => {
  let uploads: Upload[] = []
  let after: string | undefined
  do {
    const query = { limit: PAGE_SIZE, ...(after && { after }) }
    const page = await listPage(query, { signal, quiet: quiet || after !== undefined })
    signal.throwIfAborted()
    uploads = [...uploads, ...page.uploads]
    after = page.nextCursor
    onPage?.(uploads, after)
  } while (after)
  return uploads
}

const MIN_CHECK_INTERVAL_MS = 8_000
const MAX_CHECK_INTERVAL_MS = 60_000
// The interval is a sixth of the time without progress: 8 s until 48 s have passed, 60 s from 6 min on.
const BACKOFF_DIVISOR = 6

/** The `uploads` that are still being processed and that are older than all `newest` ones. */
const processingBelow = (uploads: readonly Upload[], newest: readonly Upload[]): readonly Upload[] => {
  const oldest = newest.at(-1)
  return oldest ? uploads.filter((upload) => upload.status === 'processing' && isNewer(oldest, upload)) : []
}

interface ProcessingSchedule {
  isDue: () => boolean
  /** Records a check: which uploads were being processed before it, and the list after it. */
  record: (processing: readonly Upload[], list: readonly Upload[]) => void
}

/** Schedules the checks of uploads that are being processed: less often while none of them gets ready. */
export const createProcessingSchedule = (now = Date.now): ProcessingSchedule => {
  let checkedAt = -Infinity
  let progressAt = now()
  return {
    isDue: () => {
      const intervalMs = (now() - progressAt) / BACKOFF_DIVISOR
      return now() - checkedAt >= Math.min(MAX_CHECK_INTERVAL_MS, Math.max(MIN_CHECK_INTERVAL_MS, intervalMs))
    },
    record: (processing, list) => {
      const stillProcessing = new Set(
        list.filter(({ status }) => status === 'processing').map(({ _id }) => _id),
      )
      if (processing.length === 0 || processing.some(({ _id }) => !stillProcessing.has(_id)))
        progressAt = now()
      if (processing.length > 0) checkedAt = now()
    },
  }
}

const NEWEST_LIMIT = 20
// Read links are valid for at least ten minutes.
const LINKS_FRESH_MS = 8 * 60_000

/** A page of the list other than the first one: it begins after an upload, and has a cursor. */
interface PageStart {
  position: Position
  after: string
}

export interface UploadList {
  /** Newest first. */
  uploads: readonly Upload[]
  /** Whether these are all uploads of the event: false while further pages are loading. */
  isComplete: boolean
  /** The ids of the uploads that the last poll with new uploads found. */
  arrivedIds: ReadonlySet<string>
  /** When the read links were requested; undefined if they are to be renewed. */
  linksRequestedAt: number | undefined
  /** The pages of the whole list, when it was last loaded. */
  pageStarts: readonly PageStart[]
}

export const emptyList: UploadList = {
  uploads: [],
  isComplete: false,
  arrivedIds: new Set(),
  linksRequestedAt: undefined,
  pageStarts: [],
}

export const hasUploads = ({ uploads, isComplete }: UploadList): boolean => isComplete || uploads.length > 0

/** How old the read links of a list are, in milliseconds. */
export const linkAgeMs = ({ linksRequestedAt }: UploadList): number =>
  linksRequestedAt === undefined ? Infinity : Date.now() - linksRequestedAt

interface LoadOptions {
  listPage: ListPage
  signal: AbortSignal
  /** When uploads below the newest are checked that are still being processed. */
  schedule: ProcessingSchedule
  /** The uploads that were reported as changed. */
  changedIds: ReadonlySet<string>
  /** Called with what has been loaded so far. */
  onProgress: (list: UploadList) => void
}

const loadAll = async (
  known: UploadList,
  { listPage, signal, onProgress }: LoadOptions,
): Promise<UploadList> => {
  const linksRequestedAt = Date.now()
  const pageStarts: PageStart[] = []
  const onPage = (uploads: readonly Upload[], after: string | undefined): void => {
    const position = uploads.at(-1)
    if (after && position) pageStarts.push({ position, after })
    // A partly loaded list does not replace a longer one.
    if (after && !known.isComplete && uploads.length >= known.uploads.length)
      onProgress({ ...known, uploads: keepUnchanged(known.uploads, uploads) })
  }
  const quiet = known.uploads.length > 0
  const uploads = await listAllUploads(listPage, { signal, quiet, onPage })
  return {
    ...known,
    uploads: keepUnchanged(known.uploads, uploads),
    isComplete: true,
    linksRequestedAt,
    pageStarts,
  }
}

/** Loads the pages again that have the known uploads with these ids. */
const loadPagesOf = async (
  ids: ReadonlySet<string>,
  { uploads: known, pageStarts }: UploadList,
  { listPage, signal }: LoadOptions,
): Promise<readonly Upload[]> => {
  let uploads = known
  const loadedIds = new Set<string>()
  for (const upload of known) {
    if (!ids.has(upload._id) || loadedIds.has(upload._id)) continue
    const start = pageStarts.filter(({ position }) => isNewer(position, upload)).at(-1)
    const query = { limit: PAGE_SIZE, ...(start && { after: start.after }) }
    const page = await listPage(query, { signal, quiet: true })
    for (const { _id } of page.uploads) loadedIds.add(_id)
    uploads = mergePage(uploads, page.uploads, start?.position)
  }
  return uploads
}

const loadNewest = async (known: UploadList, options: LoadOptions): Promise<UploadList> => {
  const { listPage, signal, schedule, changedIds } = options
  const isCheckDue = schedule.isDue()
  let newest: Upload[] = []
  let after: string | undefined
  let processing: readonly Upload[] | undefined
  do {
    const query = after ? { limit: PAGE_SIZE, after } : { limit: NEWEST_LIMIT }
    const page = await listPage(query, { signal, quiet: true })
    newest = [...newest, ...page.uploads]
    after = page.nextCursor
    processing ??= isCheckDue ? processingBelow(known.uploads, newest) : []
  } while (after && (leavesGap(known.uploads, newest) || processingBelow(processing, newest).length > 0))

  let loaded = after ? mergePage(known.uploads, newest) : newest
  if (after) {
    const newestIds = new Set(newest.map(({ _id }) => _id))
    const olderIds = new Set([...changedIds].filter((id) => !newestIds.has(id)))
    const knownIds = new Set(loaded.map(({ _id }) => _id))
    if ([...olderIds].some((id) => !knownIds.has(id))) return loadAll(known, options)
    loaded = await loadPagesOf(olderIds, { ...known, uploads: loaded }, options)
  }
  const uploads = keepUnchanged(known.uploads, loaded)
  if (isCheckDue) schedule.record(processing, uploads)
  if (uploads === known.uploads) return known
  const arrivedIds = findArrived(known.uploads, newest)
  return { ...known, uploads, ...(arrivedIds.size > 0 && { arrivedIds }) }
}

/** Loads all pages if the links are to be renewed, otherwise what is new or has changed. Returns the whole list. */
export const loadUploads = (known: UploadList, options: LoadOptions): Promise<UploadList> =>
  linkAgeMs(known) > LINKS_FRESH_MS ? loadAll(known, options) : loadNewest(known, options)
