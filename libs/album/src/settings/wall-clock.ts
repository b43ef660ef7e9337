import { getFormatLocale } from '@confetti/i18n'

// Swedish dates are written as those of `datetime-local` fields: 2027-07-15 00:00.
const createFormat = (timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })

/** The time of day of an instant in a time zone, as the value of a `datetime-local` field. */
export const toWallClock = (instant: string, timeZone: string): string =>
  createFormat(timeZone).format(new Date(instant)).replace(' ', 'T')

/** Formats an instant in a time zone, in the page's language. */
export const formatTime = (instant: string, timeZone?: string): string =>
  new Intl.DateTimeFormat(getFormatLocale(), { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
    new Date(instant),
  )

const offsetAt = (ms: number, timeZone: string): number =>
  Date.parse(`${toWallClock(new Date(ms).toISOString(), timeZone)}Z`) - Math.floor(ms / 60_000) * 60_000

/** The instant of the value of a `datetime-local` field in a time zone; undefined if the value is not a time. */
export const fromWallClock = (wallClock: string, timeZone: string): string | undefined => {
  const asUtc = Date.parse(`${wallClock}Z`)
  if (Number.isNaN(asUtc)) return undefined
  // The second look is for a change to or from summer time between the guess and the instant.
  const guess = asUtc - offsetAt(asUtc, timeZone)
  return new Date(asUtc - offsetAt(guess, timeZone)).toISOString()
}

/** All time zones that the browser knows, and those in `others`. */
export const listTimeZones = (...others: readonly (string | undefined)[]): string[] =>
  [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...others])]
    .filter((zone) => zone !== undefined)
    .sort()

/** The day that is `days` after `day`, as yyyy-MM-dd. */
export const addDays = (day: string, days: number): string => {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10)
}
