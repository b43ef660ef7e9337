import { queryOptions, useQueries } from '@tanstack/react-query'
import type { Event } from '@confetti/contracts'
import { api } from '@confetti/session'

export const phases = ['active', 'upcoming', 'past'] as const
/** Whether an event is active, upcoming or past, as the server decides. */
export type Phase = (typeof phases)[number]

export const eventsQuery = (phase: Phase, { quiet = false } = {}) =>
  queryOptions({
    queryKey: ['events', phase],
    queryFn: async ({ signal }) => (await api().get(`/api/events/${phase}`, { signal, quiet })).events,
  })

/** All events, as far as they have been loaded. */
export const useAllEvents = (): readonly Event[] =>
  useQueries({
    queries: phases.map((phase) => eventsQuery(phase, { quiet: true })),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  })

/** The users to whom an event can be assigned. */
export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => api().get('/api/users', { signal }),
})

export const deleteEvent = (eventId: string) => api().delete('/api/events/{eventId}', { params: { eventId } })
