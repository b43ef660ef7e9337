import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { Login } from '../domain/login.ts'

export interface LoginDeps {
  login: Login
}

export const loginRoute = ({ login }: LoginDeps): Route<typeof contracts.login> => ({
  ...contracts.login,
  handle: async ({ body, address, languages }) => ({
    status: 200,
    body: await login({ ...body, address, language: contracts.matchLocale(languages) }),
  }),
})
