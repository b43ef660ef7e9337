import { DateTime } from 'luxon'

export type Phase = 'active' | 'upcoming' | 'past'

/** The calendar day (yyyy-MM-dd) at `now` in `timeZone`. */
export const getCalendarDay = (timeZone: string, now: Date): string =>
  DateTime.fromJSDate(now, { zone: timeZone }).toFormat('yyyy-MM-dd')

/** When uploads close: the end of the day `graceDays` after `endDate` in `timeZone`. */
export const getUploadsCloseAt = (endDate: string, graceDays: number, timeZone: string): Date =>
  DateTime.fromISO(endDate, { zone: timeZone })
    .plus({ days: graceDays + 1 })
    .startOf('day')
    .toJSDate()
