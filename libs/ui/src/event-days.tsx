// Days have no time zone: they are parsed and formatted in UTC, so that they are the same for all guests.
const createFormat = (timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone })
const utcFormat = createFormat('UTC')
const parseDay = (day: string): Date => new Date(`${day}T00:00:00Z`)

/** Formats the days of an event: '12 – 14 June 2027'. */
export const formatEventDays = (startDate: string, endDate: string): string =>
  utcFormat.formatRange(parseDay(startDate), parseDay(endDate)).replace(/\s*–\s*/, ' – ')

const createFormatOrUtc = (timeZone: string): Intl.DateTimeFormat => {
  try {
    return createFormat(timeZone)
  } catch {
    // A zone that this browser does not know yet.
    return utcFormat
  }
}

/**
 * Formats the last day before an instant, in the event's time zone: uploads that close at midnight were open on the day
 * that ends then.
 */
export const formatLastDayBefore = (instant: string, timeZone = 'UTC'): string =>
  createFormatOrUtc(timeZone).format(Date.parse(instant) - 1)

/** Why guests cannot upload. An organiser can close uploads before their closing time, which may be unknown. */
export const getClosedText = (closingTime: string | undefined, timeZone?: string): string =>
  closingTime !== undefined && Date.parse(closingTime) <= Date.now()
    ? `Uploads for this event closed on ${formatLastDayBefore(closingTime, timeZone)}.`
    : 'Uploads for this event are closed.'
