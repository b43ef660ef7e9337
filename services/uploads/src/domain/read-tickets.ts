import type { AppError, Clock } from '@confetti/service-kit'
import { ticketExpired } from './rejections.ts'
import type { TicketSignature } from './ticket-signature.ts'
import type { Ticket } from './ticket.ts'

interface Deps {
  signature: Pick<TicketSignature, 'verify'>
  clock: Clock
  /** How long a ticket can be completed or resumed. */
  ticketLifeMs: number
}

/** A ticket as it was signed, or why it can't be used. */
export type ReadTicket = { ticket: Ticket } | { error: AppError; ticket?: Ticket }

/** Reads tickets that guests send back. */
export const makeReadTickets =
  ({ signature, clock, ticketLifeMs }: Deps) =>
  (texts: readonly string[]): ReadTicket[] => {
    const now = clock().getTime()
    return texts.map((text) => {
      const ticket = signature.verify(text)
      if (!ticket) return { error: ticketExpired() }
      return now > ticket.issuedAt.getTime() + ticketLifeMs ? { error: ticketExpired(), ticket } : { ticket }
    })
  }
export type ReadTickets = ReturnType<typeof makeReadTickets>
