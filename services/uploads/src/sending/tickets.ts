import { MB, type NewTicket, type Transfer } from '@confetti/contracts'
import { createTextSigner, type AppError, type Clock } from '@confetti/service-kit'
import { ticketExpired } from '../rejections.ts'
import type { Sender, LimitSubject } from './sender.ts'

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
  issuedAt: Date
  /** The trace in which it was issued (W3C Trace Context), which continues with its completion. */
  traceparent?: string
}

/** Larger files are sent in blocks. */
const MAX_SINGLE_BYTES = 8 * MB
export const BLOCK_BYTES = 4 * MB

/** A block of a file that is sent in blocks. */
export interface BlockDescriptor {
  id: string
  /** In bytes. */
  size: number
}

/** The blocks of a file, in order; undefined if the file is sent by one request. */
export const blocksOf = ({ size }: Pick<Ticket, 'size'>): BlockDescriptor[] | undefined =>
  size <= MAX_SINGLE_BYTES
    ? undefined
    : Array.from({ length: Math.ceil(size / BLOCK_BYTES) }, (_, index) => ({
        id: Buffer.from(String(index).padStart(6, '0')).toString('base64'),
        size: Math.min(BLOCK_BYTES, size - index * BLOCK_BYTES),
      }))

/** An original in blob storage, which guests' links can't change any more. */
interface Original {
  /** In bytes. */
  size: number
  /** The first bytes, enough to detect the type. */
  head: Buffer
  /** MD5 in base64, computed by blob storage. Absent if the file was sent in blocks. */
  contentMd5: string | undefined
  /** Identifies this version of the blob. */
  etag: string
}

/** What direct uploads need of blob storage. Every method throws `unavailable` if blob storage fails. */
export interface DirectBlobs {
  /** Signs a link for sending the file of a ticket, which expires at `expiresAt`. */
  createTransfer: (ticket: Ticket, expiresAt: Date) => Transfer
  /** The blocks of an upload that have arrived. */
  listReceived: (uploadId: string) => Promise<BlockDescriptor[]>
  /** Makes the original from its blocks, unless it exists already. False if a block is missing. */
  assemble: (uploadId: string, blocks: readonly BlockDescriptor[]) => Promise<boolean>
  /** Reads the head of an original; undefined if there is none. */
  readOriginal: (uploadId: string) => Promise<Original | undefined>
  /** The SHA-256 of the bytes of an original, as hexadecimal digits. */
  hashOriginal: (uploadId: string) => Promise<string>
  /** Removes this version of an original; does nothing if it has been replaced. */
  removeOriginalVersion: (uploadId: string, etag: string) => Promise<void>
  /** Removes the blocks of an upload after they were committed. */
  removeCommittedBlocks: (uploadId: string) => Promise<void>
}

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
    ticket.limitSubject,
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
    limitSubject,
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
    limitSubject: limitSubject as LimitSubject,
    // Tickets of version 0.1 have none.
    ...(traceparent && { traceparent }),
    ...(issuedGuestId && { issuedGuestId }),
  }
}

/** The longest that a link for sending a file is valid. */
export const MAX_LINK_LIFE_MS = 3_600_000

/** A ticket as it was signed, or why it can't be used. */
export type ReadTicket = { ticket: Ticket } | { error: AppError; ticket?: Ticket }

/** Issues tickets as texts, which can't be made or changed without `secret`, and reads those that guests send back. */
export const createTickets = ({
  secret,
  blobs,
  ticketLifeMs,
  clock,
}: {
  secret: string
  blobs: Pick<DirectBlobs, 'createTransfer'>
  /** How long a ticket can be completed or resumed. */
  ticketLifeMs: number
  clock: Clock
}) => {
  // `payload.signature`, both in base64url.
  const signer = createTextSigner(secret)
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
        Math.min(now.getTime() + MAX_LINK_LIFE_MS, ticket.issuedAt.getTime() + ticketLifeMs),
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
        return now > ticket.issuedAt.getTime() + ticketLifeMs
          ? { error: ticketExpired(), ticket }
          : { ticket }
      })
    },
  }
}
export type Tickets = ReturnType<typeof createTickets>
