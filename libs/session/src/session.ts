import { createApiClient, type ApiClient, forgetTokens, accessToken, stored } from '@confetti/api-client'
import type { Role, User } from '@confetti/contracts'
import { create } from 'zustand'

/** Where this page belongs to: the product's name on the screen, and the API's address. */
export interface Site {
  brand: string
  apiUrl: string
}

interface SessionState {
  /** `restoring` until the stored session was read. */
  status: 'restoring' | 'signed-out' | 'signed-in'
  user: User | undefined
  /** Set after a sign-out: the way back to the page before is then not wanted. */
  leftOnPurpose: boolean
}

export const useSession = create<SessionState>(() => ({
  status: 'restoring',
  user: undefined,
  leftOnPurpose: false,
}))

/** A user without a role is a user. */
export const roleOf = (user: Pick<User, 'role'> | { role?: undefined }): Role => user.role ?? 'user'

let current: { site: Site; api: ApiClient } | undefined

const opened = () => {
  if (!current) throw new Error('openSession has not been called on this page.')
  return current
}

/** The site that this page was opened for. */
export const site = (): Site => opened().site
/** The one API client of the page, which carries the session. */
export const api = (): ApiClient => opened().api

export const signedIn = (user: User): void => {
  stored.set('user', JSON.stringify(user))
  useSession.setState({ status: 'signed-in', user, leftOnPurpose: false })
}

/** Ends the session on this device. */
export const forgetSession = ({ onPurpose = false } = {}): void => {
  forgetTokens()
  stored.remove('user')
  useSession.setState({ status: 'signed-out', user: undefined, leftOnPurpose: onPurpose })
}

const storedUser = (): User | undefined => {
  const text = stored.get('user')
  if (!text) return undefined
  try {
    const user = JSON.parse(text) as Partial<User> | null
    if (typeof user?.email === 'string') return user as User
  } catch {
    // Falls through to the same end as any other text that is not a user.
  }
  stored.remove('user')
  return undefined
}

const restore = (): void => {
  const user = storedUser()
  if (user && accessToken()) useSession.setState({ status: 'signed-in', user, leftOnPurpose: false })
  else useSession.setState({ status: 'signed-out', user: undefined })
}

/** Opens the page's session: makes its client, reads what is stored, and follows what other tabs do. */
export const openSession = (site: Site): void => {
  current = { site, api: createApiClient({ baseUrl: site.apiUrl, sessionEnded: () => forgetSession() }) }
  restore()
  window.addEventListener('storage', ({ key }) => {
    if (key === null || key === 'user' || key === 'accessToken') restore()
  })
}
