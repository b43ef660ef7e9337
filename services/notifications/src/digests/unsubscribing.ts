import { createTextSigner, invalid } from '@confetti/service-kit'
import type { Deps } from '../deps.ts'

// The secret may sign other texts one day.
const PURPOSE = 'unsubscribe'

/** How organisers end the digests of an event. */
export const createUnsubscribing = ({ config, unsubscriptions, erasedIds, mails }: Deps) => {
  const signer = createTextSigner(config.UNSUBSCRIBE_SECRET)
  return {
    /** The token with which an organiser ends the digests of an event. It does not expire, as mails do not. */
    createToken: (eventId: string, userId: string): string =>
      `${eventId}.${userId}.${signer.sign(`${PURPOSE}/${eventId}/${userId}`)}`,

    /** Ends the digests of an event for an organiser. Throws `invalid` if the token is not one of ours. */
    unsubscribe: async (token: string): Promise<void> => {
      const [eventId = '', userId = '', signature = ''] = token.split('.')
      if (!signer.isSignature(signature, `${PURPOSE}/${eventId}/${userId}`))
        throw invalid('This link is not valid. Please open it as it is in the mail.', { code: 'bad_link' })
      await unsubscriptions.add(eventId, userId)
      // The link outlives event and account. Checked after the write: an erasure that begins later finds the record.
      if (await erasedIds.has(eventId)) await unsubscriptions.removeOfEvent(eventId)
      if (await erasedIds.has(userId)) await unsubscriptions.removeOfUser(userId)
      await mails.removeWaitingDigests(eventId, userId)
    },
  }
}
export type Unsubscribing = ReturnType<typeof createUnsubscribing>
