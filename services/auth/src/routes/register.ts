import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { Register } from '../domain/register.ts'

export interface RegisterDeps {
  register: Register
}

export const registerRoute = ({ register }: RegisterDeps): Route<typeof contracts.register> => ({
  ...contracts.register,
  handle: async ({ body, address, languages }) => ({
    status: 201,
    body: await register({ ...body, address, language: contracts.matchLocale(languages) }),
  }),
})
