import { useCallback, useEffect, useState } from 'react'
import { useQuery, useQueryClient, type QueryKey } from '@tanstack/react-query'
import { ApiError } from '@confetti/api-client'
import { createPollInterval } from './poll-interval.ts'

export type ListStatus = 'pending' | 'success' | 'error' | 'not-found'

const LIVE_INTERVAL_MS = 60_000

const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404

interface Options<T> {
  /** Must not change between renders. */
  queryKey: QueryKey
  /** Brings what is known up to date. */
  load: (known: T, signal: AbortSignal) => Promise<T>
  initialData: T
  hasData: (data: T) => boolean
  /** Polling pauses while false. */
  enabled?: boolean
  /** Whether changes are reported, so that polling only finds what was missed. */
  isLive?: boolean
}

/** A query about one event that polls while the page is visible. It ends if the event does not exist (404). */
export const usePolledQuery = <T extends object>({
  queryKey,
  load,
  initialData,
  hasData,
  enabled = true,
  isLive = false,
}: Options<T>) => {
  const client = useQueryClient()
  const [pollInterval] = useState(createPollInterval)
  const { data, error, refetch } = useQuery<T, Error, T>({
    queryKey,
    queryFn: async ({ signal }) => {
      try {
        const next = await load(client.getQueryData<T>(queryKey) ?? initialData, signal)
        pollInterval.reset()
        return next
      } catch (failure) {
        if (!signal.aborted) pollInterval.backOff(failure)
        throw failure
      }
    },
    // With data from the start the query keeps its error while it polls again: the screen does not flicker.
    initialData: () => initialData,
    enabled: ({ state }) => enabled && !isNotFound(state.error),
    refetchInterval: () => Math.max(pollInterval.currentMs(), isLive ? LIVE_INTERVAL_MS : 0),
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
    retry: false,
    networkMode: 'always',
    gcTime: 0,
    // `load` keeps what has not changed, at less cost than a deep comparison of thousands of uploads.
    structuralSharing: false,
  })

  useEffect(() => {
    if (!enabled) void client.cancelQueries({ queryKey })
  }, [client, queryKey, enabled])

  const retry = useCallback(() => void client.resetQueries({ queryKey }), [client, queryKey])
  const statusOf = (): ListStatus => {
    if (isNotFound(error)) return 'not-found'
    if (hasData(data)) return 'success'
    return error ? 'error' : 'pending'
  }
  return { client, data, error, refetch, retry, status: statusOf() }
}
