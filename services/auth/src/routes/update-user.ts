import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { GetUser } from '../domain/get-user.ts'
import type { UpdateUser } from '../domain/update-user.ts'

export interface UpdateUserDeps {
  getUser: GetUser
  updateUser: UpdateUser
}

export const updateUserRoute = ({
  getUser,
  updateUser,
}: UpdateUserDeps): Route<typeof contracts.updateUser> => ({
  ...contracts.updateUser,
  checkAccess: ({ params }) => getUser(params.userId),
  handle: async ({ params, body }) => ({
    status: 200,
    body: { message: 'Account changed.', user: await updateUser(params.userId, body) },
  }),
})
