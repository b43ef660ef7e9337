import type { TokenVerification, VerifyToken } from '@confetti/service-kit'

// How long tokens are not verified after the keys of auth could not be read: each attempt may take seconds.
const RETRY_INTERVAL_MS = 5_000

/** The id of the account that an Authorization header is a genuine session of; undefined otherwise. */
export type FindAccount = (authorization: string | undefined) => Promise<string | undefined>

/** Creates `FindAccount`. While the keys of auth cannot be read, no session is genuine. */
export const createFindAccount = (verifyToken: VerifyToken): FindAccount => {
  let retryAt = -Infinity
  return async (authorization) => {
    if (!authorization || performance.now() < retryAt) return undefined
    const verification = await verifyToken(authorization).catch((): TokenVerification => {
      retryAt = performance.now() + RETRY_INTERVAL_MS
      return { state: 'invalid' }
    })
    return verification.state === 'valid' ? verification.principal.userId : undefined
  }
}
