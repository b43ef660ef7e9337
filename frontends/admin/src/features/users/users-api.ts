import type { Account, AccountList, Role } from '@confetti/contracts'
import { api } from '@confetti/session'
import { infiniteQueryOptions, keepPreviousData, type QueryClient } from '@tanstack/react-query'
import type { TextId } from '../../texts.ts'
import { changeLoaded } from '../paged-list/change-loaded.ts'

export const roleNames: Readonly<Record<Role, TextId>> = {
  user: 'admin.users.role.organiser',
  admin: 'admin.users.role.admin',
}

// The characters that an address can have; the server rejects others.
const searchable = /^[\w'+\-.@]*$/

/** The accounts whose address contains `search`, newest first, page by page. */
export const accountsQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: ['accounts', search],
    queryFn: ({ pageParam: after, signal }): Promise<AccountList> =>
      searchable.test(search)
        ? api().get('/api/admin/users', {
            query: { search: search === '' ? undefined : search, after },
            signal,
            quiet: search !== '' || after !== undefined,
          })
        : Promise.resolve({ users: [] }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // The list does not disappear while another search loads.
    placeholderData: keepPreviousData,
  })

export const inviteUser = (invited: { email: string; role: Role }) =>
  api().post('/api/admin/users', { body: invited })

export const updateUser = async (
  userId: string,
  changes: { role: Role } | { active: boolean },
): Promise<Account> =>
  (await api().patch('/api/admin/users/{userId}', { params: { userId }, body: changes })).user

/** Sends a link to set a new password; answers with it where the system sends no mail. */
export const sendPasswordReset = (userId: string) =>
  api().post('/api/admin/users/{userId}/password-reset', { params: { userId } })

export const eraseUser = async (userId: string): Promise<void> => {
  await api().delete('/api/admin/users/{userId}', { params: { userId } })
}

/** Replaces an account in all loaded lists; removes it if there is no new one. */
export const replaceAccount = (client: QueryClient, userId: string, next: Account | undefined): void =>
  changeLoaded<AccountList>(client, ['accounts'], (page) => ({
    ...page,
    users: page.users.flatMap((user) => (user._id === userId ? (next ?? []) : user)),
  }))
