import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export const GUEST_TOKEN_HEADER = 'X-Guest-Token'

export interface GuestTokens {
  issue: () => string
  /** The guest that a token was issued to; undefined for a token that we did not make. */
  guestOf: (token: string | string[] | undefined) => string | undefined
}

/** Tokens that only tell guests behind one address apart: `id.signature`. They open nothing. */
export const createGuestTokens = (secret: string): GuestTokens => {
  const sign = (id: string): Buffer => createHmac('sha256', secret).update(id).digest()
  return {
    issue: () => {
      const id = randomBytes(16).toString('base64url')
      return `${id}.${sign(id).toString('base64url')}`
    },
    guestOf: (token) => {
      const [, id, signature] = /^([\w-]{22})\.([\w-]{43})$/.exec(String(token)) ?? []
      if (!id || !signature) return undefined
      return timingSafeEqual(Buffer.from(signature, 'base64url'), sign(id)) ? id : undefined
    },
  }
}
