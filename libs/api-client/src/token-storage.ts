import { browserStorage } from './browser-storage.ts'

const HEADER = 'X-Guest-Token'
const KEY = 'guestToken'

export const getGuestToken = (): string | undefined => browserStorage.get(KEY)

/** Returns the header by which the gateway distinguishes guests behind the same IP address. */
export const guestTokenHeaders = (): Record<string, string> => {
  const token = getGuestToken()
  return token ? { [HEADER]: token } : {}
}

/** Saves the guest token of a response, if it has one. */
export const saveGuestToken = (getHeader: (name: string) => string | null): void => {
  const token = getHeader(HEADER)
  if (token) browserStorage.set(KEY, token)
}

export interface Tokens {
  accessToken: string
  refreshToken: string
}

export const getAccessToken = (): string | undefined => browserStorage.get('accessToken')
export const getRefreshToken = (): string | undefined => browserStorage.get('refreshToken')

export const saveTokens = (tokens: Tokens): void => {
  browserStorage.set('accessToken', tokens.accessToken)
  browserStorage.set('refreshToken', tokens.refreshToken)
}

export const clearTokens = (): void => {
  browserStorage.remove('accessToken')
  browserStorage.remove('refreshToken')
}
