import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { EraseUser } from '../domain/erase-user.ts'

export interface EraseUserDeps {
  eraseUser: EraseUser
}

export const eraseUserRoute = ({ eraseUser }: EraseUserDeps): Route<typeof contracts.eraseUser> => ({
  ...contracts.eraseUser,
  handle: async ({ params }) => {
    await eraseUser(params.userId)
    return { status: 200, body: { message: 'Account erased.' } }
  },
})
