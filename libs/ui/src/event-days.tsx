import { getDateLocale, getLocale, type Locale } from '@confetti/i18n'
import { getText } from './texts.ts'

const wholeDay = { day: 'numeric', month: 'long', year: 'numeric' } as const

// Days have no time zone: they are parsed and formatted in UTC, so that they are the same for all guests.
const createFormat = (timeZone: string, locale: Locale, fields: Intl.DateTimeFormatOptions = wholeDay) =>
  new Intl.DateTimeFormat(getDateLocale(locale), { ...fields, timeZone })
const parseDay = (day: string): Date => new Date(`${day}T00:00:00Z`)

// `formatRange` falls back to '2027/06/12' in languages whose months are numbers. These separate the days of a range there.
const rangeSeparators: Readonly<Partial<Record<Locale, string>>> = { ja: '～', 'zh-Hans': '至' }

/** The fields in which the end of a range differs from its start. */
const getEndFields = (startDate: string, endDate: string): Intl.DateTimeFormatOptions => {
  const { year, month, day } = wholeDay
  if (startDate.slice(0, 4) !== endDate.slice(0, 4)) return { year, month, day }
  return startDate.slice(0, 7) === endDate.slice(0, 7) ? { day } : { month, day }
}

/** Formats the days of an event: '12 – 14 June 2027'. */
export const formatEventDays = (startDate: string, endDate: string, locale: Locale = 'en'): string => {
  const format = createFormat('UTC', locale)
  const [start, end] = [parseDay(startDate), parseDay(endDate)]
  const separator = rangeSeparators[locale]
  if (!separator) return format.formatRange(start, end).replace(/\s*–\s*/, ' – ')
  if (startDate === endDate) return format.format(start)
  return (
    format.format(start) +
    separator +
    createFormat('UTC', locale, getEndFields(startDate, endDate)).format(end)
  )
}

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
