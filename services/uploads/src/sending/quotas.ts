import { MB, type EventCopy } from '@confetti/contracts'
import { newMessage } from '@confetti/messaging'
import { AppError } from '@confetti/service-kit'
import { LRUCache } from 'lru-cache'
import { eventFull, guestQuotaUsedUp } from '../rejections.ts'
import type { Deps } from '../deps.ts'
import { limitKey, limitsOf } from './guest-limits.ts'
import type { LimitSubject } from './sender.ts'

type Amount = Awaited<ReturnType<Deps['eventTotals']['read']>>

interface Usage {
  /** As it was saved at `loadedAt`. */
  stored: Amount
  loadedAt: number
  /** Stored by this process since then. */
  added: Amount
  /** Being stored by this process. */
  pending: Amount
}

// How old `stored` may be: what other replicas have stored since is not counted. Short where that may matter.
const AGE_MS = 60_000
const AGE_NEAR_LIMIT_MS = 2_000
const NEAR_LIMIT = 0.8
// Of what an event still accepted at `loadedAt`. With so much of it stored since, that is saved, and the total read again.
const MAX_UNSEEN_SHARE = 0.05

const nothing = (): Amount => ({ files: 0, bytes: 0 })
const add = (amount: Amount, bytes: number, files = 1): void => {
  amount.files += files
  amount.bytes += bytes
}

/**
 * Counts the files and bytes of events that have a quota. Within a process no upload exceeds the quota. Several
 * replicas can exceed it by what they have stored in the last second, and each by `MAX_UNSEEN_SHARE` of what was left.
 * Events without a quota need no query.
 */
const createEventUsage = ({ config, eventTotals, publish, clock }: Deps) => {
  /** Publishes what an event has. What cannot be published now is counted again soon. */
  const report = (eventId: string, { files, bytes }: Amount, countedAt: Date): void => {
    const message = newMessage('uploads.counted.v1', { eventId, files, bytes })
    void publish({ ...message, time: countedAt.toISOString() }).catch(() => undefined)
  }

  const usages = new LRUCache<string, Usage>({ max: config.MAX_CACHED_EVENTS })
  const loading = new Map<string, Promise<Usage>>()

  const shareOf = ({ maxFiles = Infinity, maxBytes = Infinity }: EventCopy, used: Amount): number =>
    Math.max(used.files / maxFiles, used.bytes / maxBytes)
  const sum = ({ stored, added, pending }: Usage): Amount => ({
    files: stored.files + added.files + pending.files,
    bytes: stored.bytes + added.bytes + pending.bytes,
  })

  /** Whether no further file fits, whatever becomes of those that are being stored. */
  const isFull = (event: EventCopy, { stored, added }: Usage): boolean =>
    shareOf(event, { files: stored.files + added.files, bytes: stored.bytes + added.bytes }) >= 1

  /** Whether this process has stored so much since `loadedAt` that others may have used up the rest. */
  const mayHaveMissed = ({ maxFiles = Infinity, maxBytes = Infinity }: EventCopy, usage: Usage): boolean => {
    const { stored, added } = usage
    const share = Math.max(added.files / (maxFiles - stored.files), added.bytes / (maxBytes - stored.bytes))
    return share >= MAX_UNSEEN_SHARE
  }

  const load = async (eventId: string): Promise<Usage> => {
    const previous = usages.get(eventId)
    const usage = {
      stored: nothing(),
      loadedAt: clock().getTime(),
      added: nothing(),
      pending: previous?.pending ?? nothing(),
    }
    const alreadyAdded = previous && { ...previous.added }
    const total = await eventTotals.read(eventId)
    usage.stored = total
    if (previous && alreadyAdded)
      add(usage.added, previous.added.bytes - alreadyAdded.bytes, previous.added.files - alreadyAdded.files)
    usages.set(eventId, usage)
    report(eventId, total, new Date(usage.loadedAt))
    return usage
  }
  const reload = (eventId: string): Promise<Usage> => {
    const pendingLoad = loading.get(eventId) ?? load(eventId).finally(() => loading.delete(eventId))
    loading.set(eventId, pendingLoad)
    return pendingLoad
  }
  const usageOf = async (event: EventCopy): Promise<Usage> => {
    const known = usages.get(event._id)
    const maxAge = known && shareOf(event, sum(known)) >= NEAR_LIMIT ? AGE_NEAR_LIMIT_MS : AGE_MS
    if (known && !mayHaveMissed(event, known) && clock().getTime() - known.loadedAt < maxAge) return known
    return reload(event._id)
  }
  const isLimited = ({ maxFiles, maxBytes }: EventCopy): boolean =>
    maxFiles !== undefined || maxBytes !== undefined

  return {
    /** What the event still accepts. */
    remaining: async (event: EventCopy): Promise<Amount> => {
      const { maxFiles = Infinity, maxBytes = Infinity } = event
      if (!isLimited(event)) return { files: maxFiles, bytes: maxBytes }
      const used = sum(await usageOf(event))
      return { files: maxFiles - used.files, bytes: maxBytes - used.bytes }
    },
    /**
     * Reserves quota for a file of `bytes`; undefined if there is none. Call the result when it is known whether the file was
     * stored.
     */
    reserve: async (event: EventCopy, bytes: number): Promise<((isStored: boolean) => void) | undefined> => {
      const countStored = (isStored: boolean): void => {
        if (isStored) eventTotals.add(event._id, { files: 1, bytes })
      }
      if (!isLimited(event)) return countStored
      const usage = await usageOf(event)
      const { pending } = usage
      const used = sum(usage)
      if (shareOf(event, { files: used.files + 1, bytes: used.bytes + bytes }) > 1) return undefined
      add(pending, bytes)
      return (isStored) => {
        add(pending, -bytes, -1)
        countStored(isStored)
        const current = usages.get(event._id)
        if (isStored && current) add(current.added, bytes)
        // Reports it, so that guests learn it before they choose files.
        if (isStored && current && isFull(event, current)) reload(event._id).catch(() => undefined)
      }
    },
  }
}

/** Whose quotas a file counts against: those of an event, and of the guest or IP address that sends it. */
interface QuotaSubject {
  event: EventCopy
  limitSubject: LimitSubject
}

const megabytes = (bytes: number): number => Math.ceil(bytes / MB)

const isTooMany = (error: unknown): boolean => error instanceof AppError && error.kind === 'too_many_requests'

/** Enforces what events and guests may store. Guests without a token are counted together, by their address. */
export const createQuotas = (deps: Deps) => {
  const eventUsage = createEventUsage(deps)
  const { day } = deps.guestLimits

  /** Counts a file of a guest. Returns a function that refunds it. */
  const countForGuest = async (
    { event, limitSubject }: QuotaSubject,
    bytes: number,
  ): Promise<() => Promise<void>> => {
    const limits = limitsOf(day, limitSubject)
    const key = limitKey(event._id, limitSubject)
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
      { event, limitSubject }: QuotaSubject,
      sizes: readonly number[],
    ): Promise<Map<number, AppError>> => {
      const limits = limitsOf(day, limitSubject)
      const key = limitKey(event._id, limitSubject)
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
