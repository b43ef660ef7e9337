import type { Contact, NewContact } from '@confetti/contracts'
import { tooManyRequests, type Clock, type Principal } from '@confetti/service-kit'
import type { ContactStore } from './contact.ts'
import type { MessageQuotaStore } from './message-quota.ts'

interface Deps {
  contacts: Pick<ContactStore, 'add'>
  quotas: MessageQuotaStore
  maxPerHour: number
  clock: Clock
}

/** Stores a message to the admins. Throws `tooManyRequests` if the sender has sent `maxPerHour` in this hour. */
export const makeContactAdmin =
  ({ contacts, quotas, maxPerHour, clock }: Deps) =>
  async (message: NewContact, sender: Pick<Principal, 'userId' | 'email'>): Promise<Contact> => {
    const now = clock()
    const { sent, endsAt } = await quotas.count(sender.userId, now)
    if (sent > maxPerHour)
      throw tooManyRequests(
        `You can send at most ${maxPerHour} messages per hour. Please try again later.`,
        (endsAt.getTime() - now.getTime()) / 1_000,
      )
    return contacts.add({ ...message, userEmail: sender.email, createdAt: now })
  }
export type ContactAdmin = ReturnType<typeof makeContactAdmin>
