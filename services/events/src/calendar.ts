import { DateTime } from 'luxon'

export type Phase = 'active' | 'upcoming' | 'past'

/** The calendar day (yyyy-MM-dd) at `now` in `timeZone`. */
export const getCalendarDay = (timeZone: string, now: Date): string =>
  DateTime.fromJSDate(now, { zone: timeZone }).toFormat('yyyy-MM-dd')

/** The phase of an event with these days on `today` (yyyy-MM-dd). */
export const getPhase = (event: { startDate: string; endDate: string }, today: string): Phase => {
  if (today < event.startDate) return 'upcoming'
  return today > event.endDate ? 'past' : 'active'
}

/** The calendar days that it can be anywhere on earth at `now`. */
export const getCalendarDays = (now: Date): { earliest: string; latest: string } => ({
  earliest: getCalendarDay('Etc/GMT+12', now),
  latest: getCalendarDay('Pacific/Kiritimati', now),
})

/** The end of the day that is `days` after `day` in `timeZone`. */
export const endOfDayAfter = (day: string, days: number, timeZone: string): Date =>
  DateTime.fromISO(day, { zone: timeZone })
    .plus({ days: days + 1 })
    .startOf('day')
    .toJSDate()
