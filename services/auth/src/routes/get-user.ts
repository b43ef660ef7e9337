import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { GetUser } from '../domain/get-user.ts'

export interface GetUserDeps {
  getUser: GetUser
}

export const getUserRoute = ({ getUser }: GetUserDeps): Route<typeof contracts.getUser> => ({
  ...contracts.getUser,
  handle: async ({ params }) => ({ status: 200, body: await getUser(params.userId) }),
})
