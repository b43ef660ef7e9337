import type { Upload } from '@confetti/contracts'
import { listAllUploads, PAGE_SIZE, type ListPage } from './list-pages.ts'
import { processingBelow, type ProcessingSchedule } from './processing-schedule.ts'
import { findArrived, keepUnchanged, leavesGap, mergeNewest } from './upload-order.ts'

const NEWEST_LIMIT = 20
// Read links are valid for at least ten minutes.
const LINKS_FRESH_MS = 8 * 60_000

export interface UploadList {
  /** Newest first. */
  uploads: readonly Upload[]
  /** Whether these are all uploads of the event: false while further pages are loading. */
  isComplete: boolean
  /** The ids of the uploads that the last poll with new uploads found. */
  arrivedIds: ReadonlySet<string>
  /** When the read links were requested; undefined if they are to be renewed. */
  linksRequestedAt: number | undefined
}

export const emptyList: UploadList = {
  uploads: [],
  isComplete: false,
  arrivedIds: new Set(),
  linksRequestedAt: undefined,
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
  /** Called with what has been loaded so far. */
  onProgress: (list: UploadList) => void
}

const loadAll = async (
  known: UploadList,
  { listPage, signal, onProgress }: LoadOptions,
): Promise<UploadList> => {
  const linksRequestedAt = Date.now()
  const onPage = (uploads: readonly Upload[], isComplete: boolean): void => {
    // A partly loaded list does not replace a longer one.
    if (!isComplete && !known.isComplete && uploads.length >= known.uploads.length)
      onProgress({ ...known, uploads: keepUnchanged(known.uploads, uploads) })
  }
  const quiet = known.uploads.length > 0
  const uploads = await listAllUploads(listPage, { signal, quiet, onPage })
  return { ...known, uploads: keepUnchanged(known.uploads, uploads), isComplete: true, linksRequestedAt }
}

const loadNewest = async (
  known: UploadList,
  { listPage, signal, schedule }: LoadOptions,
): Promise<UploadList> => {
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

  const uploads = keepUnchanged(known.uploads, after ? mergeNewest(known.uploads, newest) : newest)
  if (isCheckDue) schedule.record(processing, uploads)
  if (uploads === known.uploads) return known
  const arrivedIds = findArrived(known.uploads, newest)
  return { ...known, uploads, ...(arrivedIds.size > 0 && { arrivedIds }) }
}

/** Brings a list up to date: loads all pages if the links are to be renewed, otherwise only what is new. */
export const loadUploads = (known: UploadList, options: LoadOptions): Promise<UploadList> =>
  linkAgeMs(known) > LINKS_FRESH_MS ? loadAll(known, options) : loadNewest(known, options)
