import { ApiError, getRefreshToken, saveTokens, type Tokens } from '@confetti/api-client'
import type { User } from '@confetti/contracts'
import { api, clearSession, startSession } from './session.ts'

export interface Credentials {
  email: string
  password: string
}

const authenticate = async (
  request: () => Promise<Partial<Tokens & { user: User }> | undefined>,
  /** If the response lacks tokens or a user. */
  failure: { code: string; message: string },
): Promise<void> => {
  try {
    const { accessToken, refreshToken, user } = (await request()) ?? {}
    if (!accessToken || !refreshToken || !user) throw new ApiError(200, failure)
    saveTokens({ accessToken, refreshToken })
    startSession(user)
  } catch (error) {
    clearSession()
    throw error
  }
}

/** Signs in. Rejects with the server's message, or with 'Login failed' if the response lacks tokens or a user. */
export const signIn = (credentials: Credentials): Promise<void> =>
  authenticate(() => api().post('/api/auth/login', { body: credentials }), {
    code: 'login_failed',
    message: 'Login failed',
  })

/** Creates an account and signs in. Rejects with the server's message, or with 'Registration failed'. */
export const register = (credentials: Credentials): Promise<void> =>
  authenticate(() => api().post('/api/auth/register', { body: credentials }), {
    code: 'registration_failed',
    message: 'Registration failed',
  })

/**
 * Changes the password. All other sessions of the account end, and this one continues with new tokens. Rejects with the
 * server's message.
 */
export const changePassword = async (passwords: {
  currentPassword: string
  newPassword: string
}): Promise<void> => {
  const { accessToken, refreshToken } = await api().post('/api/auth/password', { body: passwords })
  saveTokens({ accessToken, refreshToken })
}

/** Ends all sessions of the account, on all devices. Rejects with the server's message, and then none has ended. */
export const signOutEverywhere = async (): Promise<void> => {
  await api().post('/api/auth/logout-all')
  clearSession({ byUser: true })
}

/** Ends the session on this device, then on the server. Rejects if the server call fails or no token is stored. */
export const signOut = async (): Promise<void> => {
  const refreshToken = getRefreshToken()
  clearSession({ byUser: true })
  if (!refreshToken) throw new ApiError(0, { code: 'no_session', message: 'No refresh token found' })
  await api().post('/api/auth/logout', { body: { refreshToken } })
}
