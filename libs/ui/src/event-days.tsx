import { getDateLocale, getLocale, type Locale } from '@confetti/i18n'
import { getText } from './texts.ts'

// Days have no time zone: they are parsed and formatted in UTC, so that they are the same for all guests.
const createFormat = (timeZone: string, locale: Locale) =>
  new Intl.DateTimeFormat(getDateLocale(locale), {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone,
  })
const parseDay = (day: string): Date => new Date(`${day}T00:00:00Z`)

/** Formats the days of an event: '12 – 14 June 2027'. */
export const formatEventDays = (startDate: string, endDate: string, locale: Locale = 'en'): string =>
  createFormat('UTC', locale)
    .formatRange(parseDay(startDate), parseDay(endDate))
    .replace(/\s*–\s*/, ' – ')

const createFormatOrUtc = (timeZone: string, locale: Locale): Intl.DateTimeFormat => {
  try {
    return createFormat(timeZone, locale)
  } catch {
    // A zone that this browser does not know yet.
    return createFormat('UTC', locale)
  }
}

/**
 * Formats the last day before an instant, in the event's time zone: uploads that close at midnight were open on the day
 * that ends then.
 */
export const formatLastDayBefore = (instant: string, timeZone = 'UTC', locale: Locale = 'en'): string =>
  createFormatOrUtc(timeZone, locale).format(Date.parse(instant) - 1)

/** Whether uploads have ended by their closing time. An organiser can close them before it, and it may be unknown. */
export const hasClosedBy = (closingTime: string | undefined): closingTime is string =>
  closingTime !== undefined && Date.parse(closingTime) <= Date.now()

/** Why guests cannot upload, in the page's language. */
export const getClosedText = (closingTime: string | undefined, timeZone?: string): string =>
  hasClosedBy(closingTime)
    ? getText('common.closedOn', { date: formatLastDayBefore(closingTime, timeZone, getLocale()) })
    : getText('common.closed')
