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

/** When uploads of an event close, and when it is deleted. */
export const computeSchedule = (
  { endDate, settings }: Pick<StoredEvent, 'endDate' | 'settings'>,
  defaults: EventDefaults,
): Pick<StoredEvent, 'uploadsCloseAt' | 'deleteAt'> => {
  const timeZone = timeZoneOf(settings, defaults)
  return {
    uploadsCloseAt: settings.uploadsCloseAt
      ? new Date(settings.uploadsCloseAt)
      : endOfDayAfter(endDate, defaults.graceDays, timeZone),
    deleteAt:
      settings.keepDays === undefined ? undefined : endOfDayAfter(endDate, settings.keepDays, timeZone),
  }
}
