import { ApiError, noAnswer } from './errors.ts'
import { accessToken, forgetTokens, keepTokens, refreshToken, type Tokens } from './stored-tokens.ts'

type FetchTokens = (refreshToken: string) => Promise<Partial<Tokens> | undefined>

/** One tab at a time, where the browser has locks; the others then find the new tokens in the storage. */
const oneTabAtATime = <T>(work: () => Promise<T>): Promise<T> =>
  'locks' in navigator ? navigator.locks.request('confetti:refresh', work) : work()

const refused = (error: unknown): boolean =>
  error instanceof ApiError && [400, 401, 403].includes(error.status)

/**
 * Makes the one `refresh(stale)` of a page: calls that fail side by side share one refresh, and so do tabs. It
 * resolves with whether a call that was sent with the access token `stale` is worth sending again. Where the server
 * refuses, the tokens are forgotten and `ended` is told. A lost connection refuses nothing: that is thrown.
 */
export const makeRefresh = (fetchTokens: FetchTokens, ended: () => void) => {
  let underWay: Promise<boolean> | undefined

  const refresh = async (stale: string | undefined): Promise<boolean> => {
    // Another tab was faster.
    if (accessToken() !== stale) return accessToken() !== undefined
    const token = refreshToken()
    try {
      if (!token) throw new ApiError(401, { code: 'no_session', message: 'No refresh token found' })
      const { accessToken: access, refreshToken: next } = (await fetchTokens(token)) ?? {}
      // Not the server's answer, whoever gave it.
      if (!access || !next) throw noAnswer()
      // Signed out meanwhile: what arrives late must not sign in again.
      if (refreshToken() !== token) return accessToken() !== undefined
      keepTokens({ accessToken: access, refreshToken: next })
      return true
    } catch (error) {
      if (!refused(error)) throw error
      forgetTokens()
      ended()
      return false
    }
  }

  return (stale: string | undefined): Promise<boolean> =>
    (underWay ??= oneTabAtATime(() => refresh(stale)).finally(() => {
      underWay = undefined
    }))
}
