// A calendar day is written yyyy-MM-dd. The calendar thinks in local moments: here is the one bridge between both.

const two = (part: number): string => String(part).padStart(2, '0')

/** A local moment of a calendar day: noon, which every day has, also where clocks change at midnight. */
export const momentOf = (day: string): Date => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date, 12)
}

/** The calendar day of a moment, as clocks here show it. */
export const dayOf = (moment: Date): string =>
  `${String(moment.getFullYear()).padStart(4, '0')}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`
