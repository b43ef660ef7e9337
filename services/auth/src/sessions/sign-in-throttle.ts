import { addressKey, AppError, type RateLimiter } from '@confetti/service-kit'

export interface SignInAttempt {
  email: string
  /** The client's IP address. */
  address: string
}

interface Deps {
  /** Counts failures by account and IP address together. */
  perAccountAndAddress: RateLimiter
  /** Counts failures by IP address. */
  perAddress: RateLimiter
  /** Whether the account has signed in from this address before. */
  isKnownAddress: (attempt: SignInAttempt) => Promise<boolean>
}

/**
 * Limits failed sign-ins. Runs `signIn` and returns its result, where undefined means that the credentials were wrong.
 * Throws `tooManyRequests` if one of the limits is exceeded. There is no limit by account alone, because with one a
 * stranger could lock out the owner. For the same reason an account that has signed in from an address before is not
 * locked out together with it: thousands of guests share the address of a venue.
 */
export const createSignInThrottle =
  ({ perAccountAndAddress, perAddress, isKnownAddress }: Deps) =>
  async <T>(
    { email, address }: SignInAttempt,
    signIn: () => Promise<T | undefined>,
  ): Promise<T | undefined> => {
    const consumeAddress = async (key: string): Promise<void> => {
      try {
        await perAddress.consume(key)
      } catch (error) {
        const isExceeded = error instanceof AppError && error.kind === 'too_many_requests'
        if (!isExceeded || !(await isKnownAddress({ email, address }))) throw error
      }
    }
    const limits = [
      {
        limiter: perAccountAndAddress,
        consume: perAccountAndAddress.consume,
        key: `${email} ${addressKey(address)}`,
      },
      { limiter: perAddress, consume: consumeAddress, key: addressKey(address) },
    ]
    const consumed: typeof limits = []
    const refund = () => Promise.all(consumed.map(({ limiter, key }) => limiter.refund(key)))
    try {
      // Points are consumed before the attempt, so that concurrent attempts cannot exceed a limit, and refunded
      // unless it fails. A rejected `consume` counts, too, and is refunded as well.
      for (const limit of limits) {
        consumed.push(limit)
        await limit.consume(limit.key)
      }
      const result = await signIn()
      if (result !== undefined) await refund()
      return result
    } catch (error) {
      await refund()
      throw error
    }
  }
export type SignInThrottle = ReturnType<typeof createSignInThrottle>
