import { MB } from '@confetti/contracts'
import { AppError, type RateLimiter, type EventCopy } from '@confetti/service-kit'
import type { EventUsage } from './event-usage.ts'
import { limitKey } from './open-tickets.ts'
import { eventFull, guestQuotaUsedUp } from '../rejections.ts'
import type { TicketHolder } from './sender.ts'

interface Deps {
  eventUsage: EventUsage
  /** Count what a guest stores in a day. */
  guests: DayLimits
  /** Loose: hundreds of guests share a venue's address. */
  addresses: DayLimits
}

interface DayLimits {
  files: RateLimiter
  megabytes: RateLimiter
}

/** Whose quotas a file counts against: those of an event, and of the guest or IP address that sends it. */
interface QuotaSubject {
  event: EventCopy
  holder: TicketHolder
}

const megabytes = (bytes: number): number => Math.ceil(bytes / MB)

const isTooMany = (error: unknown): boolean => error instanceof AppError && error.kind === 'too_many_requests'

/** Enforces what events and guests may store. Guests without a token are counted together, by their address. */
export const createQuotas = ({ eventUsage, guests, addresses }: Deps) => {
  const limitsOf = (holder: TicketHolder): DayLimits => (holder.startsWith('guest:') ? guests : addresses)

  /** Counts a file of a guest. Returns a function that refunds it. */
  const countForGuest = async (
    { event, holder }: QuotaSubject,
    bytes: number,
  ): Promise<() => Promise<void>> => {
    const limits = limitsOf(holder)
    const key = limitKey(event._id, holder)
    const size = megabytes(bytes)
    // What is not refunded counts until the day is over.
    const refund = async (): Promise<void> => {
      await Promise.allSettled([limits.files.refund(key), limits.megabytes.refund(key, size)])
    }
    const counts = await Promise.allSettled([limits.files.consume(key), limits.megabytes.consume(key, size)])
    const refused = counts.find((count) => count.status === 'rejected')
    if (!refused) return refund
    // A limiter counts what it refuses, too.
    await refund()
    throw isTooMany(refused.reason) ? guestQuotaUsedUp() : refused.reason
  }

  return {
    /** Why the event or the guest may not store files of these sizes, by their position. Reserves nothing. */
    findExceeding: async (
      { event, holder }: QuotaSubject,
      sizes: readonly number[],
    ): Promise<Map<number, AppError>> => {
      const limits = limitsOf(holder)
      const key = limitKey(event._id, holder)
      const [remaining, files, mb] = await Promise.all([
        eventUsage.remaining(event),
        limits.files.remaining(key),
        limits.megabytes.remaining(key),
      ])
      const ofGuest = { files, megabytes: mb }
      const exceeding = new Map<number, AppError>()
      for (const [index, size] of sizes.entries()) {
        if (remaining.files < 1 || remaining.bytes < size) exceeding.set(index, eventFull())
        else if (ofGuest.files < 1 || ofGuest.megabytes < megabytes(size))
          exceeding.set(index, guestQuotaUsedUp())
        else {
          remaining.files -= 1
          remaining.bytes -= size
          ofGuest.files -= 1
          ofGuest.megabytes -= megabytes(size)
        }
      }
      return exceeding
    },

    /**
     * Counts a file before it is stored. Call the result when it is known whether it was. Throws `tooLarge`
     * ('quota_exceeded') if the event or the guest may not store it.
     */
    reserve: async (subject: QuotaSubject, bytes: number): Promise<(isStored: boolean) => void> => {
      const settleEvent = await eventUsage.reserve(subject.event, bytes)
      if (!settleEvent) throw eventFull()
      try {
        const refund = await countForGuest(subject, bytes)
        return (isStored) => {
          settleEvent(isStored)
          if (!isStored) void refund()
        }
      } catch (error) {
        settleEvent(false)
        throw error
      }
    },
  }
}
export type Quotas = ReturnType<typeof createQuotas>
