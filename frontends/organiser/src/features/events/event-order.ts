import type { Event } from '@confetti/contracts'

type Days = Pick<Event, 'startDate' | 'endDate'>

const two = (part: number): string => String(part).padStart(2, '0')

/** The calendar day (yyyy-MM-dd), as clocks here show it. */
export const today = (now = new Date()): string =>
  `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`

const isOver = ({ endDate }: Days, day: string): boolean => endDate < day
const isRunning = ({ startDate, endDate }: Days, day: string): boolean => startDate <= day && day <= endDate

const byStart = (one: Days, other: Days): number => one.startDate.localeCompare(other.startDate)
const latestFirst = (one: Days, other: Days): number => other.endDate.localeCompare(one.endDate)

/** Events as they matter on a `day`: those that run, then those to come, soonest first, then the past, latest first. */
export const inOrder = <T extends Days>(events: readonly T[], day: string): readonly T[] => {
  const ahead = events.filter((event) => !isOver(event, day)).sort(byStart)
  return [
    ...ahead.filter((event) => isRunning(event, day)),
    ...ahead.filter((event) => !isRunning(event, day)),
    ...events.filter((event) => isOver(event, day)).sort(latestFirst),
  ]
}
