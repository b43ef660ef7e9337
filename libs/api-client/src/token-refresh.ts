import { ApiError, createNetworkError } from './errors.ts'
import { clearTokens, getAccessToken, getRefreshToken, saveTokens, type Tokens } from './token-storage.ts'

type FetchTokens = (refreshToken: string) => Promise<Partial<Tokens> | undefined>

/** Runs `work` in one tab at a time, in browsers with the Web Locks API. */
const withTabLock = <T>(work: () => Promise<T>): Promise<T> =>
  'locks' in navigator ? navigator.locks.request('confetti:refresh', work) : work()

const isRejection = (error: unknown): boolean =>
  error instanceof ApiError && [400, 401, 403].includes(error.status)

/**
 * Creates the page's `refreshTokens(staleToken)`. Calls that fail at the same time share one refresh, also across
 * tabs. It resolves with whether a call that was sent with `staleToken` should be sent again. If the server rejects
 * the refresh token, it clears the tokens and calls `onSessionEnded`. It throws if the connection is lost, and the
 * session is kept.
 */
export const createTokenRefresh = (fetchTokens: FetchTokens, onSessionEnded: () => void) => {
  let inFlight: Promise<boolean> | undefined

  const refresh = async (staleToken: string | undefined): Promise<boolean> => {
    // Another tab has refreshed the tokens, or signed out.
    if (getAccessToken() !== staleToken) return getAccessToken() !== undefined
    const usedToken = getRefreshToken()
    try {
      if (!usedToken) throw new ApiError(401, { code: 'no_session', message: 'No refresh token found' })
      const { accessToken, refreshToken } = (await fetchTokens(usedToken)) ?? {}
      // A 200 without tokens is not from the API, so the session is kept.
      if (!accessToken || !refreshToken) throw createNetworkError()
      // The user has signed out during the refresh: the new tokens must not sign them in again.
      if (getRefreshToken() !== usedToken) return getAccessToken() !== undefined
      saveTokens({ accessToken, refreshToken })
      return true
    } catch (error) {
      if (!isRejection(error)) throw error
      clearTokens()
      onSessionEnded()
      return false
    }
  }

  return (staleToken: string | undefined): Promise<boolean> =>
    (inFlight ??= withTabLock(() => refresh(staleToken)).finally(() => {
      inFlight = undefined
    }))
}
