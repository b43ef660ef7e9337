import { randomBytes } from 'node:crypto'
import { unavailable } from '@confetti/service-kit'
import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'

// The argon2id setting with the least memory that OWASP recommends; argon2id is the package's default algorithm:
// https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// Keyboards differ in whether they send é as one code point or as two.
const normalise = (password: string): string => password.normalize('NFC')

/**
 * Hashes and verifies passwords, at most `concurrency` at a time. Its methods throw `unavailable` if `queueLimit`
 * others are already waiting: a quick error that can be retried is better than a request that waits too long.
 */
export const createPasswordHasher = async ({
  concurrency,
  queueLimit,
}: {
  concurrency: number
  queueLimit: number
}) => {
  const limit = pLimit(concurrency)
  const enqueue = async <T>(work: () => Promise<T>): Promise<T> => {
    if (limit.activeCount + limit.pendingCount >= concurrency + queueLimit)
      throw unavailable('Too many people are signing in right now. Please try again in a moment.', 3)
    return limit(work)
  }
  const dummyHash = await hash(randomBytes(32), cost)

  return {
    hash: (password: string): Promise<string> => enqueue(() => hash(normalise(password), cost)),

    /** Whether the hash is that of the password. Without a hash it is false, after the same time. */
    verify: async (password: string, passwordHash: string | undefined): Promise<boolean> => {
      const matches = await enqueue(() => verify(passwordHash ?? dummyHash, normalise(password)))
      return matches && passwordHash !== undefined
    },
  }
}
export type PasswordHasher = Awaited<ReturnType<typeof createPasswordHasher>>
