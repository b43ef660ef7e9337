import { MB } from '@confetti/contracts'
import { AppError, type RateLimiter } from '@confetti/service-kit'
import type { EventUsage } from './event-usage.ts'
import type { StoredEvent } from './event.ts'
import { limitKey } from './open-tickets.ts'
import { eventFull, guestQuotaUsedUp } from './rejections.ts'
import type { TicketHolder } from './sender.ts'

interface Deps {
  eventUsage: EventUsage
  /** Count what a guest stores in a day. */
  guestFiles: RateLimiter
  guestMegabytes: RateLimiter
}

/** Who sends a file to which event. */
interface Sender {
  event: StoredEvent
  holder: TicketHolder
}

const megabytes = (bytes: number): number => Math.ceil(bytes / MB)

const isTooMany = (error: unknown): boolean => error instanceof AppError && error.kind === 'too_many_requests'

/** Keeps events and guests to what they may store. Guests without a token share an address, and are not counted. */
export const createQuotas = ({ eventUsage, guestFiles, guestMegabytes }: Deps) => {
  /** Counts a file of a guest. Returns how to take it back. */
  const countForGuest = async ({ event, holder }: Sender, bytes: number): Promise<() => Promise<void>> => {
    if (!holder.startsWith('guest:')) return () => Promise.resolve()
    const key = limitKey(event._id, holder)
    const size = megabytes(bytes)
    // What is not taken back counts until the day is over.
    const takeBack = async (): Promise<void> => {
      await Promise.allSettled([guestFiles.refund(key), guestMegabytes.refund(key, size)])
    }
    const counts = await Promise.allSettled([guestFiles.consume(key), guestMegabytes.consume(key, size)])
    const refused = counts.find((count) => count.status === 'rejected')
    if (!refused) return takeBack
    // A limiter counts what it refuses, too.
    await takeBack()
    throw isTooMany(refused.reason) ? guestQuotaUsedUp() : refused.reason
  }

  return {
    /** The files of these sizes that the event has no room for, by their position. Reserves nothing. */
    findExceeding: async (event: StoredEvent, sizes: readonly number[]): Promise<Set<number>> => {
      const room = await eventUsage.remaining(event)
      const exceeding = new Set<number>()
      for (const [index, size] of sizes.entries()) {
        if (room.files < 1 || room.bytes < size) {
          exceeding.add(index)
          continue
        }
        room.files -= 1
        room.bytes -= size
      }
      return exceeding
    },

    /**
     * Counts a file before it is stored. Call the result when it is known whether it was. Throws `tooLarge`
     * ('quota_exceeded') if the event or the guest may not store it.
     */
    reserve: async (sender: Sender, bytes: number): Promise<(isStored: boolean) => void> => {
      const settleEvent = await eventUsage.reserve(sender.event, bytes)
      if (!settleEvent) throw eventFull()
      try {
        const takeBack = await countForGuest(sender, bytes)
        return (isStored) => {
          settleEvent(isStored)
          if (!isStored) void takeBack()
        }
      } catch (error) {
        settleEvent(false)
        throw error
      }
    },
  }
}
export type Quotas = ReturnType<typeof createQuotas>
