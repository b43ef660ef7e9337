// Converts between days as yyyy-MM-dd and the local dates that react-day-picker works with.

const pad = (part: number): string => String(part).padStart(2, '0')

/** Returns a local date on that day. The time is noon, because midnight may not exist where clocks change. */
export const dayToDate = (day: string): Date => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date, 12)
}

/** Returns the day of a date in the local time zone, as yyyy-MM-dd. */
export const dateToDay = (date: Date): string =>
  `${String(date.getFullYear()).padStart(4, '0')}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
