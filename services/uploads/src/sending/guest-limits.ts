import { createRateLimiter, type connectRedis, type RateLimiter } from '@confetti/service-kit'
import type { Config } from '../config.ts'

/** An address is limited as so many guests. */
const GUESTS_PER_ADDRESS = 1_000
const HOUR_SECONDS = 3_600
const DAY_SECONDS = 24 * HOUR_SECONDS

/** Creates the limits on what guests store in a day, on the tickets that they have not used, and on their reports. */
export const createGuestLimits = (
  config: Config,
  { redis, ticketLifeMs }: { redis: ReturnType<typeof connectRedis>; ticketLifeMs: number },
) => {
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
      seconds: Math.ceil(ticketLifeMs / 1_000),
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
  return {
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
