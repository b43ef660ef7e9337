import { addressKey, type RateLimiter } from '@confetti/service-kit'

export interface Attempt {
  email: string
  /** The IP address that it comes from. */
  address: string
}

/**
 * Lets a sign-in be tried only while its account from its address, and its address as a whole, have failures
 * left; otherwise throws `tooManyRequests`. Never counts an account alone, so that nobody can lock its owner out.
 * A point is taken before the attempt, so that many at once cannot slip through, and kept only if `attempt` gives
 * undefined: the credentials were wrong.
 */
export const createSignInThrottle =
  ({ perAccount, perAddress }: { perAccount: RateLimiter; perAddress: RateLimiter }) =>
  async <T>({ email, address }: Attempt, attempt: () => Promise<T | undefined>): Promise<T | undefined> => {
    const counts = [
      { limiter: perAccount, key: `${email} ${addressKey(address)}` },
      { limiter: perAddress, key: addressKey(address) },
    ]
    const taken: typeof counts = []
    const giveBack = () => Promise.all(taken.map(({ limiter, key }) => limiter.giveBack(key)))
    try {
      for (const count of counts) {
        // A refused take is counted too, so it is given back as well.
        taken.push(count)
        await count.limiter.take(count.key)
      }
      const result = await attempt()
      if (result !== undefined) await giveBack()
      return result
    } catch (error) {
      await giveBack()
      throw error
    }
  }
export type SignInThrottle = ReturnType<typeof createSignInThrottle>
