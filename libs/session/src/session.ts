import {
  browserStorage,
  clearTokens,
  createApiClient,
  getAccessToken,
  type ApiClient,
} from '@confetti/api-client'
import type { Role, User } from '@confetti/contracts'
import { create } from 'zustand'

/** What the operator has configured: the product's name on the screen, the base URL of the API, and a notice for guests. */
export interface Site {
  brand: string
  privacyNotice?: string | undefined
  apiUrl: string
}

interface SessionState {
  /** `restoring` until the stored session has been read. */
  status: 'restoring' | 'signed-out' | 'signed-in'
  user: User | undefined
  /** Set after a sign-out by the user. The sign-in page then does not return to the previous page. */
  signedOutByUser: boolean
}

export const useSession = create<SessionState>(() => ({
  status: 'restoring',
  user: undefined,
  signedOutByUser: false,
}))

/** Returns the user's role; `user` if they have none. */
export const getRole = (user: Pick<User, 'role'> | { role?: undefined }): Role => user.role ?? 'user'

let context: { site: Site; api: ApiClient } | undefined

const getContext = () => {
  if (!context) throw new Error('initSession has not been called on this page.')
  return context
}

/** Returns the site that the page was initialized with. */
export const site = (): Site => getContext().site
/** Returns the page's API client, which sends the session's tokens. */
export const api = (): ApiClient => getContext().api

export const startSession = (user: User): void => {
  browserStorage.set('user', JSON.stringify(user))
  useSession.setState({ status: 'signed-in', user, signedOutByUser: false })
}

/** Ends the session on this device. */
export const clearSession = ({ byUser = false } = {}): void => {
  clearTokens()
  browserStorage.remove('user')
  useSession.setState({ status: 'signed-out', user: undefined, signedOutByUser: byUser })
}

const readStoredUser = (): User | undefined => {
  const text = browserStorage.get('user')
  if (!text) return undefined
  try {
    const user = JSON.parse(text) as Partial<User> | null
    if (typeof user?.email === 'string') return user as User
  } catch {
    // Invalid JSON is removed below, as any other value that is not a user.
  }
  browserStorage.remove('user')
  return undefined
}

const restoreSession = (): void => {
  const user = readStoredUser()
  if (user && getAccessToken()) useSession.setState({ status: 'signed-in', user, signedOutByUser: false })
  else useSession.setState({ status: 'signed-out', user: undefined })
}

/** Creates the page's API client, restores the stored session, and keeps it in sync with other tabs. */
export const initSession = (site: Site): void => {
  const onSessionEnded = (): void => clearSession()
  context = { site, api: createApiClient({ baseUrl: site.apiUrl, onSessionEnded }) }
  restoreSession()
  window.addEventListener('storage', ({ key }) => {
    if (key === null || key === 'user' || key === 'accessToken') restoreSession()
  })
}
