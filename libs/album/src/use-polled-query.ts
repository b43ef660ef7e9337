import { useCallback, useEffect, useRef } from 'react'
import { useQuery, useQueryClient, type QueryKey } from '@tanstack/react-query'
import { ApiError } from '@confetti/api-client'
import { keepFresh } from './keep-fresh.ts'

export type ListStatus = 'pending' | 'success' | 'error' | 'not-found'

const POLL_INTERVAL_MS = 4_000
const LIVE_INTERVAL_MS = 60_000
const MAX_INTERVAL_MS = 60_000
/** While changes go on, data is loaded again at most this often. */
const MIN_INTERVAL_MS = 2_000
const SETTLE_MS = 500

const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404

interface Options<T> {
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
}: Options<T>) => {
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
  const wake = useRef<() => void>(undefined)
  const isPolled = enabled && !isNotFound(error)
  useEffect(() => {
    if (!isPolled) return
    const controller = new AbortController()
    wake.current = keepFresh({
      refresh: () => latest.current.refetch({ cancelRefetch: false, throwOnError: true }),
      getIntervalMs: () => (latest.current.isLive ? LIVE_INTERVAL_MS : POLL_INTERVAL_MS),
      minIntervalMs: MIN_INTERVAL_MS,
      settleMs: SETTLE_MS,
      maxIntervalMs: MAX_INTERVAL_MS,
      signal: controller.signal,
    })
    return () => controller.abort()
  }, [isPolled])

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
    reportChange: useCallback(() => wake.current?.(), []),
  }
}
