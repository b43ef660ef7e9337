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
