import { ApiError } from '@confetti/api-client'
import { api } from '@confetti/session'
import type { Draft } from './draft.ts'

/** Sends the admins a message. Resolves with what the server says about it. */
export const sendMessage = async ({ subject, message }: Draft): Promise<string> =>
  (await api().post('/api/contact-admin', { body: { subject, message } })).message

/** Why it was not sent: in the server's words, where it had any. */
export const whyNotSent = (error: unknown): string =>
  error instanceof ApiError && !['no_answer', 'unknown'].includes(error.code)
    ? error.message
    : 'Failed to send message. Please try again later.'
