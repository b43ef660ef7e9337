import type { EventSettings } from '@confetti/contracts'
import { endOfDayAfter } from './calendar.ts'
import type { StoredEvent } from './event.ts'

/** What holds for events whose settings say nothing else. */
export interface EventDefaults {
  /** An IANA time zone. */
  timeZone: string
  /** Days after `endDate` on which guests can still upload. */
  graceDays: number
}

export const timeZoneOf = ({ timeZone }: EventSettings, defaults: Pick<EventDefaults, 'timeZone'>): string =>
  timeZone ?? defaults.timeZone

const laterOf = (a: Date, b: Date): Date => (a > b ? a : b)

/** When an event is deleted: not before its uploads close. */
export const notBeforeClosing = (deleteAt: Date | undefined, uploadsCloseAt: Date): Date | undefined =>
  deleteAt && laterOf(deleteAt, uploadsCloseAt)

/** When uploads of an event close, and when it is deleted. */
export const computeSchedule = (
  { endDate, settings }: Pick<StoredEvent, 'endDate' | 'settings'>,
  defaults: EventDefaults,
): Pick<StoredEvent, 'uploadsCloseAt' | 'deleteAt'> => {
  const timeZone = timeZoneOf(settings, defaults)
  const uploadsCloseAt = settings.uploadsCloseAt
    ? new Date(settings.uploadsCloseAt)
    : endOfDayAfter(endDate, defaults.graceDays, timeZone)
  const keptUntil =
    settings.keepDays === undefined ? undefined : endOfDayAfter(endDate, settings.keepDays, timeZone)
  return { uploadsCloseAt, deleteAt: notBeforeClosing(keptUntil, uploadsCloseAt) }
}
