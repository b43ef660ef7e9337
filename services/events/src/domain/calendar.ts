import { DateTime } from 'luxon'

export type Phase = 'active' | 'upcoming' | 'past'

/** The calendar day, yyyy-MM-dd, that it is in `zone` at `now`. */
export const dayIn = (zone: string, now: Date): string =>
  DateTime.fromJSDate(now, { zone }).toFormat('yyyy-MM-dd')

/** The instant at which the last day of guests' uploads is over in `zone`: `graceDays` after `endDate`. */
export const closingTime = (endDate: string, graceDays: number, zone: string): Date =>
  DateTime.fromISO(endDate, { zone })
    .plus({ days: graceDays + 1 })
    .startOf('day')
    .toJSDate()
