import { useMemo } from 'react'
import type { Upload, UploadTotal } from '@confetti/contracts'
import type { ListPage } from './list-pages.ts'
import { findArrived, keepUnchanged } from './upload-order.ts'
import { usePolledQuery } from './use-polled-query.ts'

interface LatestUploads {
  /** Newest first; undefined until the first answer. */
  uploads: readonly Upload[] | undefined
  /** The total of the event. */
  total: UploadTotal | undefined
  /** The ids of the uploads that the last poll with new uploads found. */
  arrivedIds: ReadonlySet<string>
}

const nothing: LatestUploads = { uploads: undefined, total: undefined, arrivedIds: new Set() }

const hasSameTotal = (one: UploadTotal | undefined, other: UploadTotal | undefined): boolean =>
  one?.files === other?.files && one?.guests === other?.guests && one?.bytes === other?.bytes

const update = (
  known: LatestUploads,
  { uploads: newest, total }: Awaited<ReturnType<ListPage>>,
): LatestUploads => {
  if (!known.uploads) return { ...nothing, uploads: newest, total }
  const uploads = keepUnchanged(known.uploads, newest)
  if (uploads === known.uploads && hasSameTotal(known.total, total)) return known
  const arrivedIds = findArrived(known.uploads, newest)
  return { uploads, total, arrivedIds: arrivedIds.size > 0 ? arrivedIds : known.arrivedIds }
}

interface Options {
  listPage: ListPage
  /** How many uploads to load. */
  count: number
  /** Polling pauses while false. */
  enabled: boolean
}

/** The latest uploads of an event and its total: one small request for each poll, however many uploads there are. */
export const useLatestUploads = (eventId: string, { listPage, count, enabled }: Options) => {
  const { data, status, retry } = usePolledQuery<LatestUploads>({
    queryKey: useMemo(() => ['latest-uploads', eventId], [eventId]),
    load: async (known, signal) => update(known, await listPage({ limit: count }, { signal, quiet: true })),
    initialData: nothing,
    hasData: ({ uploads }) => uploads !== undefined,
    enabled,
  })
  return { ...data, uploads: data.uploads ?? [], status, retry }
}
