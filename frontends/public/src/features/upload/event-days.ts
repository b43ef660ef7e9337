// Days, not moments: read and written in one zone, they are the same everywhere.
const format = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})
const moment = (day: string): Date => new Date(`${day}T00:00:00Z`)

/** The days of an event as people say them: '12 – 14 June 2027'. */
export const eventDays = (startDate: string, endDate: string): string =>
  format.formatRange(moment(startDate), moment(endDate)).replace(/\s*–\s*/, ' – ')

/** The last day before an instant: what closes at midnight was open on the day that ends then. */
export const lastDayBefore = (instant: string): string => format.format(Date.parse(instant) - 1)
