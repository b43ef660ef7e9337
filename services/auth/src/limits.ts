import { createRateLimiter, type connectRedis, type RateLimiter } from '@confetti/service-kit'
import type { Config } from './config.ts'

/** Creates the limits on attempts to sign in, to register, and to change or reset a password, counted in Redis. */
export const createAttemptLimits = (config: Config, redis: ReturnType<typeof connectRedis>) => {
  const limit = (name: string, points: number, seconds: number): RateLimiter =>
    createRateLimiter({ redis, name, points, seconds, message: 'Too many attempts. Please try again later.' })
  return {
    /** Failed sign-ins, by account and IP address together. */
    signInsPerAccountAndAddress: limit(
      'sign-in',
      config.SIGN_IN_FAILURES_PER_ACCOUNT,
      config.SIGN_IN_WINDOW_SECONDS,
    ),
    signInsPerAddress: limit('address', config.SIGN_IN_FAILURES_PER_ADDRESS, config.SIGN_IN_WINDOW_SECONDS),
    registrationsPerAddress: limit(
      'register',
      config.REGISTRATIONS_PER_ADDRESS,
      config.REGISTRATION_WINDOW_SECONDS,
    ),
    resetsPerAddress: limit(
      'reset-address',
      config.PASSWORD_RESETS_PER_ADDRESS,
      config.PASSWORD_RESET_WINDOW_SECONDS,
    ),
    resetsPerAccount: limit(
      'reset-account',
      config.PASSWORD_RESETS_PER_ACCOUNT,
      config.PASSWORD_RESET_WINDOW_SECONDS,
    ),
    /** Successful changes count, too: each sends a mail to an address that nobody may have confirmed. */
    passwordChangesPerAccount: limit('change-account', config.PASSWORD_CHANGES_PER_HOUR, 3_600),
  }
}
export type AttemptLimits = ReturnType<typeof createAttemptLimits>
