import { createHash } from 'node:crypto'
import { MB } from '@confetti/contracts'
import type { RateLimiter } from '@confetti/service-kit'
import type { TicketHolder } from './sender.ts'
import type { Ticket } from './tickets.ts'

interface Limits {
  /** Counts open tickets until they expire. */
  files: RateLimiter
  /** Counts the megabytes of open tickets until they expire. */
  megabytes: RateLimiter
}

interface Deps {
  guests: Limits
  /** Loose: hundreds of guests share a venue's address. */
  addresses: Limits
}

/** The key by which a holder is counted in an event: nothing of either can be read from it. */
export const limitKey = (eventId: string, holder: TicketHolder): string =>
  createHash('sha256').update(`${eventId}:${holder}`).digest('hex')

type Opened = readonly Pick<Ticket, 'size'>[]

const megabytesOf = (files: Opened): number => files.reduce((sum, { size }) => sum + Math.ceil(size / MB), 0)

/** A limiter counts what it refuses, too: a guest who asks again and again would never get below the limit. */
const consumeOrRefund = async (limiter: RateLimiter, key: string, points: number): Promise<void> => {
  try {
    await limiter.consume(key, points)
  } catch (error) {
    await limiter.refund(key, points)
    throw error
  }
}

/** Limits what one holder may have asked tickets for in one event and not completed. */
export const createOpenTickets = ({ guests, addresses }: Deps) => {
  const limitsOf = (holder: TicketHolder): Limits => (holder.startsWith('guest:') ? guests : addresses)
  return {
    /** Throws `tooManyRequests` if the holder would have too many open tickets. */
    open: async (holder: TicketHolder, eventId: string, files: Opened): Promise<void> => {
      const limits = limitsOf(holder)
      await consumeOrRefund(limits.files, limitKey(eventId, holder), files.length)
      try {
        await consumeOrRefund(limits.megabytes, limitKey(eventId, holder), megabytesOf(files))
      } catch (error) {
        await limits.files.refund(limitKey(eventId, holder), files.length)
        throw error
      }
    },
    /** Records that tickets have been completed. */
    close: async (holder: TicketHolder, eventId: string, files: Opened): Promise<void> => {
      const limits = limitsOf(holder)
      await limits.files.refund(limitKey(eventId, holder), files.length)
      await limits.megabytes.refund(limitKey(eventId, holder), megabytesOf(files))
    },
  }
}
export type OpenTickets = ReturnType<typeof createOpenTickets>
