import type { Contact, NewContact } from '@confetti/contracts'
import { tooManyRequests, type Clock, type ErasedIds, type Principal } from '@confetti/service-kit'
import type { ContactStore } from './contact.ts'
import type { EraseUser } from './erase-user.ts'
import type { MessageQuotaStore } from './message-quota.ts'

interface Deps {
  contacts: Pick<ContactStore, 'add'>
  quotas: Pick<MessageQuotaStore, 'count'>
  erasedIds: Pick<ErasedIds, 'has'>
  eraseUser: EraseUser
  maxPerHour: number
  clock: Clock
}

/** Stores a message to the admins. Throws `tooManyRequests` if the sender has sent `maxPerHour` in this hour. */
export const makeContactAdmin =
  ({ contacts, quotas, erasedIds, eraseUser, maxPerHour, clock }: Deps) =>
  async (message: NewContact, { userId, email }: Pick<Principal, 'userId' | 'email'>): Promise<Contact> => {
    const now = clock()
    const { sent, endsAt } = await quotas.count(userId, now)
    if (sent > maxPerHour)
      throw tooManyRequests(
        `You can send at most ${maxPerHour} messages per hour. Please try again later.`,
        (endsAt.getTime() - now.getTime()) / 1_000,
      )
    const contact = await contacts.add({ ...message, userId, userEmail: email, createdAt: now })
    // The access of an erased account ends a few seconds later.
    if (await erasedIds.has(userId)) await eraseUser({ _id: userId, erasedAt: now })
    return contact
  }
export type ContactAdmin = ReturnType<typeof makeContactAdmin>
