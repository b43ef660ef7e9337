import type { ErasedIds } from '@confetti/service-kit'
import type { ContactStore, ErasedUser } from './contact.ts'
import type { MessageQuotaStore } from './message-quota.ts'

interface Deps {
  contacts: Pick<ContactStore, 'erase'>
  quotas: Pick<MessageQuotaStore, 'remove'>
  erasedIds: Pick<ErasedIds, 'add'>
}

/** Removes everything about an account. */
export const makeEraseUser =
  ({ contacts, quotas, erasedIds }: Deps) =>
  async (user: ErasedUser): Promise<void> => {
    await erasedIds.add(user._id)
    await contacts.erase(user)
    await quotas.remove(user._id)
  }
export type EraseUser = ReturnType<typeof makeEraseUser>
