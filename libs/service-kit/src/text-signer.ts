import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

const MIN_SECRET_CHARACTERS = 32
const isLong = ({ length }: string): boolean => length >= MIN_SECRET_CHARACTERS

/**
 * A variable with secrets for `createTextSigner`, separated by commas. A secret of an earlier version may have commas
 * itself: the whole text verifies, too, and signs if no part of it is long enough for a secret.
 */
export const signingSecrets = z
  .string()
  .min(MIN_SECRET_CHARACTERS)
  .transform((text, context): readonly string[] => {
    const parts = text.includes(',')
      ? text
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean)
      : []
    if (!parts.some(isLong)) return [text]
    if (!parts.every(isLong))
      context.addIssue({
        code: 'custom',
        message: `has a secret with less than ${MIN_SECRET_CHARACTERS} characters between its commas`,
      })
    return [...parts, text]
  })

export interface TextSigner {
  /** Returns the signature of a text: 43 characters of base64url. */
  sign: (text: string) => string
  /** Whether `signature` is what `sign` returns for this text, or returned with one of the earlier secrets. */
  isSignature: (signature: string, text: string) => boolean
}

/** Whether two texts are the same, in a time that does not depend on where they differ. */
export const isSameSecret = (actual: string, expected: string): boolean => {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Signs texts by HMAC-SHA-256 with the first of `secrets`. All of them verify, so that a secret can be replaced. */
export const createTextSigner = (secrets: readonly string[]): TextSigner => {
  const [current = ''] = secrets
  const signWith = (secret: string, text: string): string =>
    createHmac('sha256', secret).update(text).digest('base64url')
  return {
    sign: (text) => signWith(current, text),
    isSignature: (signature, text) =>
      secrets.some((secret) => isSameSecret(signature, signWith(secret, text))),
  }
}
