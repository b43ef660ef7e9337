import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'
import { ApiError } from '@confetti/api-client'
import { api } from '@confetti/session'
import { getFailureText } from '@confetti/ui/failure-text'
import { getText } from '../../texts.ts'

/** The messages to the admins, newest first, page by page. */
export const contactsQuery = infiniteQueryOptions({
  queryKey: ['contacts'],
  queryFn: ({ pageParam: after, signal }) =>
    api().get('/api/contact-admin', { query: { after }, signal, quiet: after !== undefined }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor,
})

/** Answers a message and shows the reply in the loaded list. */
export const sendReply = async (
  queryClient: QueryClient,
  contactId: string,
  message: string,
): Promise<void> => {
  const { contact } = await api().post('/api/contacts/{contactId}/replies', {
    params: { contactId },
    body: { message },
  })
  queryClient.setQueryData(
    contactsQuery.queryKey,
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({
          ...page,
          messages: page.messages.map((each) => (each._id === contactId ? contact : each)),
        })),
      },
  )
}

/** What to tell the user about a reply that was not sent: the server's reason, or a general text if it sent none. */
export const replyErrorMessage = (error: unknown): string =>
  error instanceof ApiError && !['network_error', 'unknown'].includes(error.code)
    ? getFailureText(error)
    : getText('admin.contacts.reply.failed')
