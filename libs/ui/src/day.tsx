const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

/** Formats a day (yyyy-MM-dd) in the user's locale. Returns other text unchanged. */
export const formatDay = (day: string): string => {
  // Parsed and formatted in the same zone, so that it stays the same day for users in all time zones.
  const date = new Date(`${day}T00:00:00Z`)
  return Number.isNaN(date.getTime()) ? day : format.format(date)
}
