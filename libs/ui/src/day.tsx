import { getFormatLocale } from '@confetti/i18n'

/** Formats a day (yyyy-MM-dd) in the page's language. Returns other text unchanged. */
export const formatDay = (day: string): string => {
  // Parsed and formatted in the same zone, so that it stays the same day for users in all time zones.
  const date = new Date(`${day}T00:00:00Z`)
  return Number.isNaN(date.getTime())
    ? day
    : date.toLocaleDateString(getFormatLocale(), { dateStyle: 'medium', timeZone: 'UTC' })
}
