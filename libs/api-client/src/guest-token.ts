import { browserStorage } from './browser-storage.ts'

const HEADER = 'X-Guest-Token'
const KEY = 'guestToken'

/** Returns the header by which the gateway distinguishes guests behind the same IP address. */
export const guestTokenHeaders = (): Record<string, string> => {
  const token = browserStorage.get(KEY)
  return token ? { [HEADER]: token } : {}
}

/** Saves the guest token of a response, if it has one. */
export const saveGuestToken = (getHeader: (name: string) => string | null): void => {
  const token = getHeader(HEADER)
  if (token) browserStorage.set(KEY, token)
}
