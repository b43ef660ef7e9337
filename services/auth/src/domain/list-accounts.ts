import type { AccountList } from '@confetti/contracts'
import { decodeCursor, encodeCursor } from '@confetti/service-kit'
import { toAccountView } from './account-view.ts'
import type { UserStore } from './user.ts'

interface Deps {
  users: Pick<UserStore, 'list'>
}

interface Query {
  search?: string | undefined
  limit: number
  after?: string | undefined
}

/** Lists one page of the accounts whose address contains `search`, newest first. */
export const makeListAccounts =
  ({ users }: Deps) =>
  async ({ search, limit, after }: Query): Promise<AccountList> => {
    const page = await users.list({ limit, after: after ? decodeCursor(after) : undefined }, search)
    return {
      users: page.accounts.map(toAccountView),
      ...(page.next && { nextCursor: encodeCursor(page.next) }),
    }
  }
export type ListAccounts = ReturnType<typeof makeListAccounts>
