import { randomInt } from 'node:crypto'
import { SHORT_CODE_ALPHABET, SHORT_CODE_LENGTH } from '@confetti/contracts'
import { isDuplicateKey } from '@confetti/service-kit'

/** All random, so that nobody finds the code of an event by that of another. */
const newShortCode = (): string =>
  Array.from(
    { length: SHORT_CODE_LENGTH },
    () => SHORT_CODE_ALPHABET[randomInt(SHORT_CODE_ALPHABET.length)],
  ).join('')

// With a billion events, one code of 656 is taken.
const MAX_ATTEMPTS = 5

/** Calls `write` with a new short code, and again with another one while an event has it. Throws after the fifth. */
export const withUnusedCode = async <T>(write: (shortCode: string) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await write(newShortCode())
    } catch (error) {
      if (!isDuplicateKey(error) || attempt === MAX_ATTEMPTS) throw error
    }
}
