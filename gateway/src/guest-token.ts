import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export const GUEST_TOKEN_HEADER = 'X-Guest-Token'

export interface GuestTokens {
  issue: () => string
  /** Returns the id of the guest, or undefined if the token was not issued with this secret. */
  verify: (token: string | string[] | undefined) => string | undefined
}

/** Tokens `id.signature` that distinguish guests who share an address. They grant no access. */
export const createGuestTokens = (secret: string): GuestTokens => {
  const sign = (id: string): Buffer => createHmac('sha256', secret).update(id).digest()
  return {
    issue: () => {
      const id = randomBytes(16).toString('base64url')
      return `${id}.${sign(id).toString('base64url')}`
    },
    verify: (token) => {
      const [, id, signature] = /^([\w-]{22})\.([\w-]{43})$/.exec(String(token)) ?? []
      if (!id || !signature) return undefined
      return timingSafeEqual(Buffer.from(signature, 'base64url'), sign(id)) ? id : undefined
    },
  }
}
