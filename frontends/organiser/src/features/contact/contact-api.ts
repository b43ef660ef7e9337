import { ApiError } from '@confetti/api-client'
import { getLocale } from '@confetti/i18n'
import { api } from '@confetti/session'
import { getFailureText } from '@confetti/ui/failure-text'
import { getText } from '../../texts.ts'
import type { MessageDraft } from './draft-storage.ts'

/** Sends a message to the admins. Resolves with the confirmation: in English the server's own. */
export const sendMessage = async ({ subject, message }: MessageDraft): Promise<string> => {
  const confirmation = await api().post('/api/contact-admin', { body: { subject, message } })
  return getLocale() === 'en' ? confirmation.message : getText('organiser.contact.sent.text')
}

/** What to tell the user about a message that was not sent: the server's reason, or a general text if it sent none. */
export const sendErrorMessage = (error: unknown): string =>
  error instanceof ApiError && !['network_error', 'unknown'].includes(error.code)
    ? getFailureText(error)
    : getText('organiser.contact.failed')
