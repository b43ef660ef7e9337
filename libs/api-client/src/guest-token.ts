import { stored } from './stored-tokens.ts'

const HEADER = 'X-Guest-Token'
const KEY = 'guestToken'

/** The token by which the gateway knows one guest's calls from another's behind the same address. */
export const guestHeaders = (): Record<string, string> => {
  const token = stored.get(KEY)
  return token ? { [HEADER]: token } : {}
}

/** Keeps the token that an answer brought, if it brought one. */
export const keepGuestToken = (header: (name: string) => string | null): void => {
  const token = header(HEADER)
  if (token) stored.set(KEY, token)
}
