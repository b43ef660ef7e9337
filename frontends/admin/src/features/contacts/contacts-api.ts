import type { Contact } from '@confetti/contracts'
import { api } from '@confetti/session'

/** The messages to the admins, newest first. */
export const fetchContacts = async (signal: AbortSignal): Promise<readonly Contact[]> =>
  (await api().get('/api/contact-admin', { signal })).messages
