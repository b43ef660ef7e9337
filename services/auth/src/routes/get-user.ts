import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { GetUser } from '../domain/get-user.ts'

export const getUserRoute = ({ getUser }: { getUser: GetUser }): Route<typeof contracts.getUser> => ({
  ...contracts.getUser,
  handle: async ({ params }) => ({ status: 200, body: await getUser(params.userId) }),
})
