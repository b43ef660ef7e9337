import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'
import { ApiError, isNotFound } from '@confetti/api-client'
import type { Contact, ContactList } from '@confetti/contracts'
import { api } from '@confetti/session'
import { getFailureText } from '@confetti/ui/failure-text'
import { getText } from '../../texts.ts'
import { changeLoaded } from '../paged-list/change-loaded.ts'

/** The messages to the admins, newest first, page by page. */
export const contactsQuery = infiniteQueryOptions({
  queryKey: ['contacts'],
  queryFn: ({ pageParam: after, signal }) =>
    api().get('/api/contact-admin', { query: { after }, signal, quiet: after !== undefined }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor,
})

/** Changes the loaded messages by a function, which leaves one out by returning none. */
const changeMessages = (client: QueryClient, change: (contact: Contact) => Contact[]): void =>
  changeLoaded<ContactList>(client, contactsQuery.queryKey, (page) => ({
    ...page,
    messages: page.messages.flatMap(change),
  }))

/** Deletes a message, and removes it from the loaded list. One that another admin has deleted is no error. */
export const deleteContact = async (queryClient: QueryClient, contactId: string): Promise<void> => {
  await api()
    .delete('/api/contacts/{contactId}', { params: { contactId } })
    .catch((error: unknown) => {
      if (!isNotFound(error)) throw error
    })
  changeMessages(queryClient, (each) => (each._id === contactId ? [] : [each]))
}

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
  changeMessages(queryClient, (each) => [each._id === contactId ? contact : each])
}

/** What to tell the user about a reply that was not sent: the server's reason, or a general text if it sent none. */
export const replyErrorMessage = (error: unknown): string =>
  error instanceof ApiError && !['network_error', 'unknown'].includes(error.code)
    ? getFailureText(error)
    : getText('admin.contacts.reply.failed')
