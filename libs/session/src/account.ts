import { keepTokens, refreshToken, type Tokens } from '@confetti/api-client'
import type { User } from '@confetti/contracts'
import { api, forgetSession, signedIn } from './session.ts'

export interface Credentials {
  email: string
  password: string
}

const enter = async (
  ask: () => Promise<Partial<Tokens & { user: User }> | undefined>,
  fallback: string,
): Promise<void> => {
  try {
    const { accessToken, refreshToken, user } = (await ask()) ?? {}
    if (!accessToken || !refreshToken || !user) throw new Error(fallback)
    keepTokens({ accessToken, refreshToken })
    signedIn(user)
  } catch (error) {
    forgetSession()
    throw error
  }
}

/** Signs in. Rejects with the server's message, or 'Login failed' where it says nothing of use. */
export const signIn = (credentials: Credentials): Promise<void> =>
  enter(() => api().post('/api/auth/login', { body: credentials }), 'Login failed')

/** Makes an account and signs it in. Rejects with the server's message, or 'Registration failed'. */
export const register = (credentials: Credentials): Promise<void> =>
  enter(() => api().post('/api/auth/register', { body: credentials }), 'Registration failed')

/** Ends the session, here at once. Rejects if the server could not be told, or there was nothing to end. */
export const signOut = async (): Promise<void> => {
  const token = refreshToken()
  forgetSession({ onPurpose: true })
  if (!token) throw new Error('No refresh token found')
  await api().post('/api/auth/logout', { body: { refreshToken: token } })
}
