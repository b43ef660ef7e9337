// Days have no time zone: they are parsed and formatted in UTC, so that they are the same for all guests.
const createFormat = (timeZone: string, locale: string) =>
  // English dates are British.
  new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone,
  })
const parseDay = (day: string): Date => new Date(`${day}T00:00:00Z`)

/** Formats the days of an event: '12 – 14 June 2027'. */
export const formatEventDays = (startDate: string, endDate: string, locale = 'en'): string =>
  createFormat('UTC', locale)
    .formatRange(parseDay(startDate), parseDay(endDate))
    .replace(/\s*–\s*/, ' – ')

const createFormatOrUtc = (timeZone: string, locale: string): Intl.DateTimeFormat => {
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
export const formatLastDayBefore = (instant: string, timeZone = 'UTC', locale = 'en'): string =>
  createFormatOrUtc(timeZone, locale).format(Date.parse(instant) - 1)

/** Whether uploads have ended by their closing time. An organiser can close them before it, and it may be unknown. */
export const hasClosedBy = (closingTime: string | undefined): closingTime is string =>
  closingTime !== undefined && Date.parse(closingTime) <= Date.now()

/** Why guests cannot upload. */
export const getClosedText = (closingTime: string | undefined, timeZone?: string): string =>
  hasClosedBy(closingTime)
    ? `Uploads for this event closed on ${formatLastDayBefore(closingTime, timeZone)}.`
    : 'Uploads for this event are closed.'
