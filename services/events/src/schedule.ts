import type { EventSettings } from '@confetti/contracts'
import { DateTime } from 'luxon'
import type { Config } from './config.ts'
import type { StoredEvent } from './event.ts'

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

/** What an event without settings of its own has. */
export type EventDefaults = Pick<Config, 'EVENT_TIME_ZONE' | 'UPLOAD_GRACE_DAYS'>

export const timeZoneOf = (
  { timeZone }: EventSettings,
  { EVENT_TIME_ZONE }: Pick<Config, 'EVENT_TIME_ZONE'>,
): string => timeZone ?? EVENT_TIME_ZONE

const laterOf = (a: Date, b: Date): Date => (a > b ? a : b)

/** When an event is deleted: not before its uploads close. */
export const notBeforeClosing = (deleteAt: Date | undefined, uploadsCloseAt: Date): Date | undefined =>
  deleteAt && laterOf(deleteAt, uploadsCloseAt)

// Organisers are notified that long before at the latest, and need time to download the photos.
const MIN_NOTICE_MS = 3 * 24 * 3_600_000

/** When an event can be deleted whose organisers are only notified now. */
export const endOfNotice = (now: Date): Date => new Date(now.getTime() + MIN_NOTICE_MS)

/**
 * When an event is deleted because of a setting that is made now. The notice only delays a deletion that the setting brings
 * forward: otherwise each change would give an event that is to be deleted (`before`) more time again.
 */
export const withNotice = (deleteAt: Date | undefined, now: Date, before?: Date): Date | undefined => {
  const noticed = endOfNotice(now)
  return deleteAt && laterOf(deleteAt, before && before < noticed ? before : noticed)
}

/** When uploads of an event close, and when its settings have it deleted. */
export const computeSchedule = (
  { endDate, settings }: Pick<StoredEvent, 'endDate' | 'settings'>,
  defaults: EventDefaults,
): Pick<StoredEvent, 'uploadsCloseAt' | 'deleteAt'> => {
  const timeZone = timeZoneOf(settings, defaults)
  const uploadsCloseAt = settings.uploadsCloseAt
    ? new Date(settings.uploadsCloseAt)
    : endOfDayAfter(endDate, defaults.UPLOAD_GRACE_DAYS, timeZone)
  const keptUntil =
    settings.keepDays === undefined ? undefined : endOfDayAfter(endDate, settings.keepDays, timeZone)
  return { uploadsCloseAt, deleteAt: notBeforeClosing(keptUntil, uploadsCloseAt) }
}
