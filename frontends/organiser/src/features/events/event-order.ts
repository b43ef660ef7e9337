import type { Event } from '@confetti/contracts'

type Days = Pick<Event, 'startDate' | 'endDate'>

const twoDigits = (part: number): string => String(part).padStart(2, '0')

/** The calendar day (yyyy-MM-dd) in the time zone of the browser. */
export const today = (now = new Date()): string =>
  `${now.getFullYear()}-${twoDigits(now.getMonth() + 1)}-${twoDigits(now.getDate())}`

const isPast = ({ endDate }: Days, day: string): boolean => endDate < day
const isActive = ({ startDate, endDate }: Days, day: string): boolean => startDate <= day && day <= endDate

const byStart = (one: Days, other: Days): number => one.startDate.localeCompare(other.startDate)
const latestFirst = (one: Days, other: Days): number => other.endDate.localeCompare(one.endDate)

/**
 * Sorts events for a `day`: active ones, then upcoming ones, both by start date, then past ones, the latest
 * first.
 */
export const sortEvents = <T extends Days>(events: readonly T[], day: string): readonly T[] => {
  const current = events.filter((event) => !isPast(event, day)).sort(byStart)
  return [
    ...current.filter((event) => isActive(event, day)),
    ...current.filter((event) => !isActive(event, day)),
    ...events.filter((event) => isPast(event, day)).sort(latestFirst),
  ]
}
