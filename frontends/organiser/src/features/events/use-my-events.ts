import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Event } from '@confetti/contracts'
import { fetchMyEvents } from './events-api.ts'

const REFETCH_INTERVAL_MS = 60_000
const queryKey = ['my-events']

/**
 * The organiser's events, refetched in the background every minute and when the tab becomes visible again.
 */
export const useMyEvents = () => {
  const client = useQueryClient()
  const { data, error } = useQuery<Event[] | null>({
    queryKey,
    queryFn: ({ signal }) => {
      const { dataUpdateCount = 0, errorUpdateCount = 0 } = client.getQueryState(queryKey) ?? {}
      return fetchMyEvents({ signal, quiet: dataUpdateCount + errorUpdateCount > 0 })
    },
    // With data from the start the query keeps its error while it refetches: the screen does not flicker.
    initialData: null,
    refetchInterval: REFETCH_INTERVAL_MS,
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
  })
  return {
    /** Undefined until the first successful request. */
    events: data ?? undefined,
    error: data ? null : error,
    /** Fetches again, with the loading state. */
    retry: () => void client.resetQueries({ queryKey }),
  }
}
