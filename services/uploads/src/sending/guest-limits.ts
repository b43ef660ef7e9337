import { createHash } from 'node:crypto'
import { MB } from '@confetti/contracts'
import { type connectRedis, createRateLimiter, type RateLimiter } from '@confetti/service-kit'
import { ticketLifeMs, type Config } from '../config.ts'
import { toSubjectText, type LimitSubject } from './sender.ts'
import type { Ticket } from './tickets.ts'

export interface Limits {
  files: RateLimiter
  megabytes: RateLimiter
}

/** The key by which a guest or an address is counted in an event: nothing of either can be read from it. */
export const limitKey = (eventId: string, limitSubject: LimitSubject): string =>
  createHash('sha256')
    .update(`${eventId}:${toSubjectText(limitSubject)}`)
    .digest('hex')

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

/** The limits of a guest or, without a guest token, of an address. */
export const limitsOf = (
  limits: Record<'guests' | 'addresses', Limits>,
  limitSubject: LimitSubject,
): Limits => (limitSubject.kind === 'guest' ? limits.guests : limits.addresses)

/** Limits what one guest or address may have asked tickets for in one event and not completed. */
export const createOpenTickets = ({ openTickets }: GuestLimits) => ({
  /** Throws `tooManyRequests` if there would be too many open tickets. */
  open: async (limitSubject: LimitSubject, eventId: string, files: Opened): Promise<void> => {
    const limits = limitsOf(openTickets, limitSubject)
    await consumeOrRefund(limits.files, limitKey(eventId, limitSubject), files.length)
    try {
      await consumeOrRefund(limits.megabytes, limitKey(eventId, limitSubject), megabytesOf(files))
    } catch (error) {
      await limits.files.refund(limitKey(eventId, limitSubject), files.length)
      throw error
    }
  },
  /** Records that tickets have been completed. */
  close: async (limitSubject: LimitSubject, eventId: string, files: Opened): Promise<void> => {
    const limits = limitsOf(openTickets, limitSubject)
    await limits.files.refund(limitKey(eventId, limitSubject), files.length)
    await limits.megabytes.refund(limitKey(eventId, limitSubject), megabytesOf(files))
  },
})
export type OpenTickets = ReturnType<typeof createOpenTickets>

/** An address is limited as so many guests. */
const GUESTS_PER_ADDRESS = 1_000
/** Each is a list in the database, of up to 3,000 files. While one is prepared, the page asks again and again. */
const GUEST_ARCHIVES_PER_HOUR = 60
/** At one address. Pages have a token. */
const ARCHIVES_WITHOUT_TOKEN_PER_HOUR = 10 * GUEST_ARCHIVES_PER_HOUR
/** Lists live for a day, in pages of 500 files, about 100 kB: these are 2 GB, or all 1,000 photos for 10,000 guests. */
const EVENT_ARCHIVE_PAGES_PER_DAY = 20_000
/** Each writes to all that the guest has sent to an event. */
const GUEST_RENAMES_PER_HOUR = 20
const HOUR_SECONDS = 3_600
const DAY_SECONDS = 24 * HOUR_SECONDS

/**
 * Creates the limits on what guests store in a day, on the tickets that they have not used, on their reports, archives and
 * renames. Those of addresses are loose: hundreds of guests share a venue's address.
 */
export const createGuestLimits = (config: Config, redis: ReturnType<typeof connectRedis>) => {
  const perDay = (name: string, points: number): RateLimiter =>
    createRateLimiter({
      redis,
      name: `uploads-${name}`,
      points,
      seconds: DAY_SECONDS,
      message: 'That is as much as one guest can send in a day.',
    })
  const openTickets = (name: string, points: number): RateLimiter =>
    createRateLimiter({
      redis,
      name: `uploads-${name}`,
      points,
      seconds: Math.ceil(ticketLifeMs(config) / 1_000),
      maxRetryAfterSeconds: 30,
      message: 'Too many files are still to be sent. Please try again in a moment.',
    })
  const reports = (name: string, points: number): RateLimiter =>
    createRateLimiter({
      redis,
      name: `uploads-${name}-reports`,
      points,
      seconds: HOUR_SECONDS,
      message: 'That is as much as can be reported in an hour. Please tell the organisers.',
    })
  const archives = (name: string, points: number, seconds = HOUR_SECONDS): RateLimiter =>
    createRateLimiter({
      redis,
      name: `uploads-${name}`,
      points,
      seconds,
      message: 'That is as much as can be downloaded for now. Please try again later.',
    })
  return {
    archives: {
      guests: archives('guest-archives', GUEST_ARCHIVES_PER_HOUR),
      withoutToken: archives('tokenless-archives', ARCHIVES_WITHOUT_TOKEN_PER_HOUR),
      /** Of guests with a token, too: a script gets thousands of tokens. */
      addresses: archives('address-archives', GUEST_ARCHIVES_PER_HOUR * GUESTS_PER_ADDRESS),
      pagesOfEvents: archives('event-archive-pages', EVENT_ARCHIVE_PAGES_PER_DAY, DAY_SECONDS),
    },
    // Without a token there is nothing to rename.
    renames: createRateLimiter({
      redis,
      name: 'uploads-guest-renames',
      points: GUEST_RENAMES_PER_HOUR,
      seconds: HOUR_SECONDS,
      message: 'That is as often as a name can be changed in an hour. Please try again later.',
    }),
    reports: {
      guests: reports('guest', config.GUEST_REPORTS_PER_HOUR),
      addresses: reports('address', config.ADDRESS_REPORTS_PER_HOUR),
    },
    day: {
      guests: {
        files: perDay('guest-day-files', config.GUEST_FILES_PER_DAY),
        megabytes: perDay('guest-day-mb', config.GUEST_MB_PER_DAY),
      },
      addresses: {
        files: perDay('address-day-files', config.GUEST_FILES_PER_DAY * GUESTS_PER_ADDRESS),
        megabytes: perDay('address-day-mb', config.GUEST_MB_PER_DAY * GUESTS_PER_ADDRESS),
      },
    },
    openTickets: {
      guests: {
        files: openTickets('guest-tickets', config.MAX_OPEN_TICKETS),
        megabytes: openTickets('guest-ticket-mb', config.MAX_OPEN_TICKET_MB),
      },
      addresses: {
        files: openTickets('address-tickets', config.MAX_OPEN_TICKETS * GUESTS_PER_ADDRESS),
        megabytes: openTickets('address-ticket-mb', config.MAX_OPEN_TICKET_MB * GUESTS_PER_ADDRESS),
      },
    },
  }
}
export type GuestLimits = ReturnType<typeof createGuestLimits>
