import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '@confetti/session'

/** The messages to the admins, newest first, page by page. */
export const contactsQuery = infiniteQueryOptions({
  queryKey: ['contacts'],
  queryFn: ({ pageParam: after, signal }) =>
    api().get('/api/contact-admin', { query: { after }, signal, quiet: after !== undefined }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor,
})
