const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

/** A calendar day (yyyy-MM-dd) as the reader's language writes it; the same day in every time zone. */
export const formatDay = (day: string): string => {
  // A day is no instant: read and written in one zone, it cannot slip to its neighbour.
  const moment = new Date(`${day}T00:00:00Z`)
  return Number.isNaN(moment.getTime()) ? day : format.format(moment)
}
