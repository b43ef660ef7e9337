import { randomBytes } from 'node:crypto'
import { createTextSigner } from '@confetti/service-kit'

export const GUEST_TOKEN_HEADER = 'X-Guest-Token'

export interface GuestTokens {
  issue: () => string
  /** Returns the id of the guest, or undefined if the token was not issued with this secret. */
  verify: (token: string | string[] | undefined) => string | undefined
}

/** Tokens `id.signature` that distinguish guests who share an address. They grant no access. */
export const createGuestTokens = (secret: string): GuestTokens => {
  const { sign, isSignature } = createTextSigner(secret)
  return {
    issue: () => {
      const id = randomBytes(16).toString('base64url')
      return `${id}.${sign(id)}`
    },
    verify: (token) => {
      const [, id, signature] = /^([\w-]{22})\.([\w-]{43})$/.exec(String(token)) ?? []
      return id && signature && isSignature(signature, id) ? id : undefined
    },
  }
}
