import { createHmac, timingSafeEqual } from 'node:crypto'
import type { TicketHolder } from './open-tickets.ts'
import type { Ticket } from './ticket.ts'

// None of the fields can have it: names and credits have no control characters.
const SEPARATOR = '\0'

export interface TicketSignature {
  /** Returns a ticket as text, which nobody else can make or change. */
  sign: (ticket: Ticket) => string
  /** Returns the ticket that `sign` made into this text; undefined if it made no such text. */
  verify: (text: string) => Ticket | undefined
}

const encode = (ticket: Ticket): string =>
  [
    ticket.uploadId,
    ticket.eventId,
    ticket.photoCredit,
    ticket.originalName,
    ticket.size,
    ticket.sha256 ?? '',
    ticket.issuedAt.getTime(),
    ticket.holder,
  ].join(SEPARATOR)

const decode = (payload: string): Ticket => {
  const [uploadId = '', eventId = '', photoCredit = '', originalName = '', size, sha256, issuedAt, holder] =
    payload.split(SEPARATOR)
  return {
    uploadId,
    eventId,
    photoCredit,
    originalName,
    size: Number(size),
    ...(sha256 && { sha256 }),
    issuedAt: new Date(Number(issuedAt)),
    holder: holder as TicketHolder,
  }
}

/** Creates a signature of tickets: `payload.signature`, both in base64url, signed by HMAC-SHA-256 with `secret`. */
export const createTicketSignature = (secret: string): TicketSignature => {
  const signatureOf = (payload: string): Buffer => createHmac('sha256', secret).update(payload).digest()
  return {
    sign: (ticket) => {
      const payload = encode(ticket)
      return `${Buffer.from(payload).toString('base64url')}.${signatureOf(payload).toString('base64url')}`
    },
    verify: (text) => {
      const [, encoded, signature] = /^([\w-]+)\.([\w-]{43})$/.exec(text) ?? []
      if (!encoded || !signature) return undefined
      const payload = Buffer.from(encoded, 'base64url').toString()
      return timingSafeEqual(Buffer.from(signature, 'base64url'), signatureOf(payload))
        ? decode(payload)
        : undefined
    },
  }
}
