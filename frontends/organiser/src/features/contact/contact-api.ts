import { ApiError } from '@confetti/api-client'
import { api } from '@confetti/session'
import type { MessageDraft } from './draft-storage.ts'

/** Sends a message to the admins. Resolves with the server's confirmation message. */
export const sendMessage = async ({ subject, message }: MessageDraft): Promise<string> =>
  (await api().post('/api/contact-admin', { body: { subject, message } })).message

/** The message of the server's error, or a fallback if the server sent none. */
export const sendErrorMessage = (error: unknown): string =>
  error instanceof ApiError && !['network_error', 'unknown'].includes(error.code)
    ? error.message
    : 'Failed to send message. Please try again later.'
