import { randomBytes } from 'node:crypto'
import { unavailable } from '@confetti/service-kit'
import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'

// OWASP's argon2id setting with the least memory; argon2id is the package's default algorithm.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// One keyboard sends é as one character, another as two.
const normalise = (password: string): string => password.normalize('NFC')

/**
 * Hashes and checks passwords, `atOnce` at a time. Throws `unavailable` when `waiting` others are in the queue
 * already: better a quick 'try again' than everybody waiting for ever.
 */
export const createPasswords = async ({ atOnce, waiting }: { atOnce: number; waiting: number }) => {
  const limit = pLimit(atOnce)
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (limit.activeCount + limit.pendingCount >= atOnce + waiting)
      throw unavailable('Too many people are signing in right now. Please try again in a moment.', 3)
    return limit(work)
  }
  const nobodysHash = await hash(randomBytes(32), cost)

  return {
    hash: (password: string): Promise<string> => inTurn(() => hash(normalise(password), cost)),

    /** Whether the password is the one that was hashed. Takes as long when there is no hash, and is then false. */
    matches: async (password: string, passwordHash: string | undefined): Promise<boolean> => {
      const right = await inTurn(() => verify(passwordHash ?? nobodysHash, normalise(password)))
      return right && passwordHash !== undefined
    },
  }
}
export type Passwords = Awaited<ReturnType<typeof createPasswords>>
