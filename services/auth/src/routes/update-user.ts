import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { UpdateUser } from '../domain/update-user.ts'

export interface UpdateUserDeps {
  updateUser: UpdateUser
}

export const updateUserRoute = ({ updateUser }: UpdateUserDeps): Route<typeof contracts.updateUser> => ({
  ...contracts.updateUser,
  handle: async ({ params, body }) => ({
    status: 200,
    body: { message: 'Account changed.', user: await updateUser(params.userId, body) },
  }),
})
