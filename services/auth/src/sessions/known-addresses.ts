import { createHmac, type KeyObject } from 'node:crypto'
import { addressKey, type Clock } from '@confetti/service-kit'
import type { SignInAttempt } from './sign-in-throttle.ts'

const KEEP_MS = 30 * 24 * 3_600_000

export interface KnownAddressStore {
  /** Remembers the hash of an account and an address until `expiresAt`. */
  save: (hash: string, userId: string, expiresAt: Date) => Promise<void>
  /** Whether one of these hashes is remembered at `now`. */
  has: (hashes: readonly string[], now: Date) => Promise<boolean>
  removeOfUser: (userId: string) => Promise<void>
  removeExpired: (now: Date) => Promise<void>
}

interface Deps {
  store: Pick<KnownAddressStore, 'save' | 'has'>
  /** The current one first. The others find what was remembered before a rotation. */
  signingKeys: readonly KeyObject[]
  clock: Clock
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
export const createKnownAddresses = ({ store, signingKeys, clock }: Deps) => {
  const hashes = signingKeys.map(createHash)
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
