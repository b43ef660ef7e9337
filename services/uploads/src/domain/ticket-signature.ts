import { createTextSigner } from '@confetti/service-kit'
import type { TicketHolder } from './sender.ts'
import type { Ticket } from './ticket.ts'

// None of the fields can have it: names and credits have no control characters.
const SEPARATOR = '\0'

export interface TicketSignature {
  /** Returns a ticket as text, which can't be made or changed without the secret. */
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
    ticket.traceparent ?? '',
    ticket.issuedGuestId ?? '',
  ].join(SEPARATOR)

const decode = (payload: string): Ticket => {
  const [
    uploadId = '',
    eventId = '',
    photoCredit = '',
    originalName = '',
    size,
    sha256,
    issuedAt,
    holder,
    traceparent,
    issuedGuestId,
  ] = payload.split(SEPARATOR)
  return {
    uploadId,
    eventId,
    photoCredit,
    originalName,
    size: Number(size),
    ...(sha256 && { sha256 }),
    issuedAt: new Date(Number(issuedAt)),
    holder: holder as TicketHolder,
    // Tickets of version 0.1 have none.
    ...(traceparent && { traceparent }),
    ...(issuedGuestId && { issuedGuestId }),
  }
}

/** Creates a signature of tickets: `payload.signature`, both in base64url, signed with `secret`. */
export const createTicketSignature = (secret: string): TicketSignature => {
  const { sign, isSignature } = createTextSigner(secret)
  return {
    sign: (ticket) => {
      const payload = encode(ticket)
      return `${Buffer.from(payload).toString('base64url')}.${sign(payload)}`
    },
    verify: (text) => {
      const [, encoded, signature] = /^([\w-]+)\.([\w-]{43})$/.exec(text) ?? []
      if (!encoded || !signature) return undefined
      const payload = Buffer.from(encoded, 'base64url').toString()
      return isSignature(signature, payload) ? decode(payload) : undefined
    },
  }
}
