import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { Register } from '../domain/register.ts'

export const registerRoute = ({ register }: { register: Register }): Route<typeof contracts.register> => ({
  ...contracts.register,
  handle: async ({ body, address }) => ({ status: 201, body: await register({ ...body, address }) }),
})
