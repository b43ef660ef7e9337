import { MB, type NewTicket } from '@confetti/contracts'
import { createTextSigner, type AppError } from '@confetti/service-kit'
import { ticketLifeMs } from '../config.ts'
import type { Deps } from '../deps.ts'
import { ticketExpired } from '../rejections.ts'
import type { BlockDescriptor } from '../upload-blobs.ts'
import { parseSubject, toSubjectText, type Sender } from './sender.ts'

/** A guest's permission to send one file straight to blob storage. */
export interface Ticket extends Sender {
  uploadId: string
  eventId: string
  photoCredit: string
  originalName: string
  /** In bytes, as the guest declared it. */
  size: number
  /** As the guest declared it: a hint, which the media worker verifies. */
  sha256?: string
  /** When the file last changed on the guest's device, as that says: in milliseconds since 1970. */
  lastModified?: number
  /** What the guest has agreed to, if the event asked for it. */
  consentVersion?: string
  issuedAt: Date
  /** The trace in which it was issued (W3C Trace Context), which continues with its completion. */
  traceparent?: string
}

/** Larger files are sent in blocks. */
const MAX_SINGLE_BYTES = 8 * MB
export const BLOCK_BYTES = 4 * MB

/** The blocks of a file, in order; undefined if the file is sent by one request. */
export const blocksOf = ({ size }: Pick<Ticket, 'size'>): BlockDescriptor[] | undefined =>
  size <= MAX_SINGLE_BYTES
    ? undefined
    : Array.from({ length: Math.ceil(size / BLOCK_BYTES) }, (_, index) => ({
        id: Buffer.from(String(index).padStart(6, '0')).toString('base64'),
        size: Math.min(BLOCK_BYTES, size - index * BLOCK_BYTES),
      }))

// None of the fields can have it: names and credits have no control characters.
const SEPARATOR = '\0'

const encode = (ticket: Ticket): string =>
  [
    ticket.uploadId,
    ticket.eventId,
    ticket.photoCredit,
    ticket.originalName,
    ticket.size,
    ticket.sha256 ?? '',
    ticket.issuedAt.getTime(),
    toSubjectText(ticket.limitSubject),
    ticket.traceparent ?? '',
    ticket.issuedGuestId ?? '',
    ticket.lastModified ?? '',
    ticket.consentVersion ?? '',
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
    limitSubject = '',
    traceparent,
    issuedGuestId,
    lastModified,
    consentVersion,
  ] = payload.split(SEPARATOR)
  return {
    uploadId,
    eventId,
    photoCredit,
    originalName,
    size: Number(size),
    ...(sha256 && { sha256 }),
    issuedAt: new Date(Number(issuedAt)),
    limitSubject: parseSubject(limitSubject),
    ...(traceparent && { traceparent }),
    ...(issuedGuestId && { issuedGuestId }),
    ...(lastModified && { lastModified: Number(lastModified) }),
    ...(consentVersion && { consentVersion }),
  }
}

/** The longest that a link for sending a file is valid. */
export const MAX_LINK_LIFE_MS = 3_600_000

/** A ticket as it was signed, or why it can't be used. */
export type ReadTicket = { ticket: Ticket } | { error: AppError; ticket?: Ticket }

/** Issues tickets as texts, which can't be made or changed without the secrets of TICKET_SECRET, and reads those that guests send back. */
export const createTickets = ({ config, blobs, clock }: Deps) => {
  const lifeMs = ticketLifeMs(config)
  // `payload.signature`, both in base64url.
  const signer = createTextSigner(config.TICKET_SECRET)
  const sign = (ticket: Ticket): string => {
    const payload = encode(ticket)
    return `${Buffer.from(payload).toString('base64url')}.${signer.sign(payload)}`
  }
  /** Returns the ticket that `sign` made into this text; undefined if it made no such text. */
  const verify = (text: string): Ticket | undefined => {
    const [, encoded, signature] = /^([\w-]+)\.([\w-]{43})$/.exec(text) ?? []
    if (!encoded || !signature) return undefined
    const payload = Buffer.from(encoded, 'base64url').toString()
    return signer.isSignature(signature, payload) ? decode(payload) : undefined
  }

  return {
    /** What a guest needs to send the file of a ticket: the signed ticket, and links that start to expire now. */
    issue: (ticket: Ticket, now: Date): Extract<NewTicket, { outcome: 'send' }> => {
      const expiresAt = new Date(
        Math.min(now.getTime() + MAX_LINK_LIFE_MS, ticket.issuedAt.getTime() + lifeMs),
      )
      return {
        outcome: 'send',
        ticket: sign(ticket),
        uploadId: ticket.uploadId,
        expiresAt: expiresAt.toISOString(),
        transfer: blobs.createTransfer(ticket, expiresAt),
      }
    },

    read: (texts: readonly string[]): ReadTicket[] => {
      const now = clock().getTime()
      return texts.map((text) => {
        const ticket = verify(text)
        if (!ticket) return { error: ticketExpired() }
        return now > ticket.issuedAt.getTime() + lifeMs ? { error: ticketExpired(), ticket } : { ticket }
      })
    },
  }
}
export type Tickets = ReturnType<typeof createTickets>
