import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useQuery, useQueryClient, type QueryKey } from '@tanstack/react-query'
import { isNotFound } from '@confetti/api-client'
import type { Upload, UploadTotal } from '@confetti/contracts'
import { keepFresh, type FreshList } from './keep-fresh.ts'
import { createConditionalRequests } from './list-feed.ts'
import { withTimeLimit, type ListPage } from './load-uploads.ts'
import { findArrived, keepUnchanged } from './upload-order.ts'

export type ListStatus = 'pending' | 'success' | 'error' | 'not-found'

const POLL_INTERVAL_MS = 4_000
const LIVE_INTERVAL_MS = 60_000
const MAX_INTERVAL_MS = 60_000
/** While changes go on, data is loaded again at most this often. */
const MIN_INTERVAL_MS = 2_000
const SETTLE_MS = 500

interface QueryOptions<T> {
  /** Must not change between renders. */
  queryKey: QueryKey
  /** Loads what has changed. Returns all data. */
  load: (known: T, signal: AbortSignal) => Promise<T>
  initialData: T
  hasData: (data: T) => boolean
  /** Polling pauses while false. */
  enabled?: boolean
  /** Whether changes are reported, so that polling only finds what was missed. */
  isLive?: boolean
}

/** A query about one event that is kept fresh while the page is visible. It ends if the event does not exist (404). */
export const usePolledQuery = <T extends object>({
  queryKey,
  load,
  initialData,
  hasData,
  enabled = true,
  isLive = false,
}: QueryOptions<T>) => {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery<T, Error, T>({
    queryKey,
    queryFn: ({ signal }) => load(client.getQueryData<T>(queryKey) ?? initialData, signal),
    // With data from the start the query keeps its error while it polls again: the screen does not flicker.
    initialData: () => initialData,
    enabled: ({ state }) => enabled && !isNotFound(state.error),
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
    retry: false,
    networkMode: 'always',
    gcTime: 0,
    // `load` keeps what has not changed, at less cost than a deep comparison of thousands of uploads.
    structuralSharing: false,
  })

  const latest = useRef({ refetch, isLive })
  useEffect(() => {
    latest.current = { refetch, isLive }
  })
  const freshList = useRef<FreshList>(undefined)
  const hasReportedChange = useRef(false)
  const isPolled = enabled && !isNotFound(error)
  useEffect(() => {
    if (!isPolled) return
    const controller = new AbortController()
    const refetchOnce = () => latest.current.refetch({ cancelRefetch: false, throwOnError: true })
    freshList.current = keepFresh({
      refresh: async () => {
        // A request that began before the change does not have it, and is only joined.
        const isStale = hasReportedChange.current && client.isFetching({ queryKey }) > 0
        hasReportedChange.current = false
        await refetchOnce()
        if (isStale) await refetchOnce()
      },
      getIntervalMs: () => (latest.current.isLive ? LIVE_INTERVAL_MS : POLL_INTERVAL_MS),
      minIntervalMs: MIN_INTERVAL_MS,
      settleMs: SETTLE_MS,
      maxIntervalMs: MAX_INTERVAL_MS,
      signal: controller.signal,
    })
    return () => controller.abort()
  }, [isPolled, client, queryKey])

  // Another request has succeeded, such as that of a page that is looked at again.
  useEffect(() => {
    if (!error) freshList.current?.recover()
  }, [error])

  useEffect(() => {
    if (!enabled) void client.cancelQueries({ queryKey })
  }, [client, queryKey, enabled])

  const retry = useCallback(() => void client.resetQueries({ queryKey }), [client, queryKey])
  const statusOf = (): ListStatus => {
    if (isNotFound(error)) return 'not-found'
    if (hasData(data)) return 'success'
    return error ? 'error' : 'pending'
  }
  return {
    client,
    data,
    error,
    refetch,
    retry,
    status: statusOf(),
    /** Reports a change: data is loaded again soon. */
    reportChange: useCallback(() => {
      hasReportedChange.current = true
      freshList.current?.wake()
    }, []),
  }
}

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
  one?.files === other?.files &&
  one?.guests === other?.guests &&
  one?.bytes === other?.bytes &&
  one?.waiting === other?.waiting

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
  const [{ ask, forget }] = useState(createConditionalRequests)
  const { data, status, retry } = usePolledQuery<LatestUploads>({
    queryKey: useMemo(() => ['latest-uploads', eventId], [eventId]),
    load: async (known, signal) => {
      if (!known.uploads) forget()
      const answer = await ask((conditional) =>
        withTimeLimit(listPage)({ limit: count }, { signal, quiet: true, ...conditional }),
      )
      return answer ? update(known, answer) : known
    },
    initialData: nothing,
    hasData: ({ uploads }) => uploads !== undefined,
    enabled,
  })
  return { ...data, uploads: data.uploads ?? [], status, retry }
}
