import { getDateLocale, type Locale } from '@confetti/i18n'

/** Formats an instant in a time zone, or in UTC if this browser does not know the zone yet. */
export const formatIn = (
  timeZone: string,
  instant: string,
  tag: string,
  format: Intl.DateTimeFormatOptions,
): string => {
  const formatInZone = (zone: string): string =>
    new Intl.DateTimeFormat(tag, { ...format, timeZone: zone }).format(Date.parse(instant))
  try {
    return formatInZone(timeZone)
  } catch {
    return formatInZone('UTC')
  }
}

/** An instant in the time zone of the event: 'Monday, 14 June 2027 at 20:00'. */
export const formatInstant = (instant: string, timeZone = 'UTC', locale: Locale = 'en'): string =>
  formatIn(timeZone, instant, getDateLocale(locale), { dateStyle: 'full', timeStyle: 'short' })
