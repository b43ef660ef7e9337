import { createHmac, type KeyObject } from 'node:crypto'
import { addressKey, AppError } from '@confetti/service-kit'
import type { Deps } from '../deps.ts'
import type { AttemptLimits } from '../limits.ts'

const KEEP_MS = 30 * 24 * 3_600_000

export interface KnownAddressStore {
  /** Remembers the hash of an account and an address until `expiresAt`. */
  save: (hash: string, userId: string, expiresAt: Date) => Promise<void>
  /** Whether one of these hashes is remembered at `now`. */
  has: (hashes: readonly string[], now: Date) => Promise<boolean>
  removeOfUser: (userId: string) => Promise<void>
  removeExpired: (now: Date) => Promise<void>
}

/** The address is hashed together with the account, with a key: without one, all addresses could be tried. */
const createHash = (signingKey: KeyObject) => {
  const secret = createHmac('sha256', signingKey.export({ type: 'pkcs8', format: 'der' }))
    .update('known addresses')
    .digest()
  return ({ email, address }: SignInAttempt): string =>
    createHmac('sha256', secret)
      .update(`${email} ${addressKey(address)}`)
      .digest('hex')
}

/** Remembers for 30 days from which IP addresses accounts have signed in. */
export const createKnownAddresses = ({ knownAddressStore: store, keys, clock }: Deps) => {
  // The current key first. The others find what was remembered before a rotation.
  const hashes = keys.privateKeys.map(createHash)
  const hashAll = (attempt: SignInAttempt) => hashes.map((hash) => hash(attempt))
  return {
    remember: async (userId: string, attempt: SignInAttempt): Promise<void> => {
      const [hash = ''] = hashAll(attempt)
      await store.save(hash, userId, new Date(clock().getTime() + KEEP_MS))
    },
    isKnown: (attempt: SignInAttempt): Promise<boolean> => store.has(hashAll(attempt), clock()),
  }
}
export type KnownAddresses = ReturnType<typeof createKnownAddresses>

interface SignInAttempt {
  email: string
  /** The client's IP address. */
  address: string
}

/**
 * Limits failed sign-ins. Runs `signIn` and returns its result, where undefined means that the credentials were wrong.
 * Throws `tooManyRequests` if one of the limits is exceeded. There is no limit by account alone, because with one a
 * stranger could lock out the owner. For the same reason an account that has signed in from an address before is not
 * locked out together with it: thousands of guests share the address of a venue.
 */
export const createSignInThrottle =
  (
    { signInsPerAccountAndAddress: perAccountAndAddress, signInsPerAddress: perAddress }: AttemptLimits,
    /** Whether the account has signed in from this address before. */
    isKnownAddress: (attempt: SignInAttempt) => Promise<boolean>,
  ) =>
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
