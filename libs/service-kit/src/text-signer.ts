import { createHmac, timingSafeEqual } from 'node:crypto'

export interface TextSigner {
  /** Returns the signature of a text: 43 characters of base64url. */
  sign: (text: string) => string
  /** Whether `signature` is what `sign` returns for this text. */
  isSignature: (signature: string, text: string) => boolean
}

/** Signs texts by HMAC-SHA-256 with `secret`. */
export const createTextSigner = (secret: string): TextSigner => {
  const sign = (text: string): string => createHmac('sha256', secret).update(text).digest('base64url')
  return {
    sign,
    isSignature: (signature, text) => {
      const expected = Buffer.from(sign(text))
      const actual = Buffer.from(signature)
      return actual.length === expected.length && timingSafeEqual(actual, expected)
    },
  }
}
