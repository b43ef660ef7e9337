import type { NewTicket } from '@confetti/contracts'
import type { DirectBlobs } from './direct-blobs.ts'
import type { TicketSignature } from './ticket-signature.ts'
import type { Ticket } from './ticket.ts'

/** The longest that a link for sending a file is valid. */
export const MAX_LINK_LIFE_MS = 3_600_000

/** Creates what a guest needs to send the file of a ticket: the signed ticket, and links that start to expire now. */
export const makeIssueTicket =
  ({
    signature,
    blobs,
    ticketLifeMs,
  }: {
    signature: Pick<TicketSignature, 'sign'>
    blobs: Pick<DirectBlobs, 'createTransfer'>
    ticketLifeMs: number
  }) =>
  (ticket: Ticket, now: Date): Extract<NewTicket, { outcome: 'send' }> => {
    const expiresAt = new Date(
      Math.min(now.getTime() + MAX_LINK_LIFE_MS, ticket.issuedAt.getTime() + ticketLifeMs),
    )
    return {
      outcome: 'send',
      ticket: signature.sign(ticket),
      uploadId: ticket.uploadId,
      expiresAt: expiresAt.toISOString(),
      transfer: blobs.createTransfer(ticket, expiresAt),
    }
  }
export type IssueTicket = ReturnType<typeof makeIssueTicket>
