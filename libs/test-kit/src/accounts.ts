import { randomBytes } from 'node:crypto'
import { login, register, type User } from '@confetti/contracts'
import { callUntilAvailable } from './call.ts'
import { importOfService } from './in-process.ts'
import type { TestSystem } from './test-system.ts'

export interface Account {
  user: User
  password: string
  token: string
  refreshToken: string
}

export const randomEmail = (): string => `person-${randomBytes(6).toString('hex')}@confetti.test`

const toAccount = (
  body: { user: User; accessToken: string; refreshToken: string },
  password: string,
): Account => ({
  user: body.user,
  password,
  token: body.accessToken,
  refreshToken: body.refreshToken,
})

/** Registers a new organiser at `url`, the gateway or the auth service. */
export const newOrganiser = async (url: string): Promise<Account> => {
  const credentials = { email: randomEmail(), password: randomBytes(9).toString('base64') }
  const { body } = await callUntilAvailable(url, register, { body: credentials })
  return toAccount(body, credentials.password)
}

/** Creates an admin as the auth service's create-admin command does, and signs in at `url`. */
export const newAdmin = async (system: Pick<TestSystem, 'environment'>, url: string): Promise<Account> => {
  const credentials = { email: randomEmail(), password: randomBytes(9).toString('base64') }
  const { addAdmin } = await importOfService<{
    addAdmin: (mongoUrl: string, account: typeof credentials) => Promise<unknown>
  }>('auth', 'add-admin.ts')
  await addAdmin(system.environment('auth').MONGO_URL ?? '', credentials)
  const { body } = await callUntilAvailable(url, login, { body: credentials })
  return toAccount(body, credentials.password)
}
