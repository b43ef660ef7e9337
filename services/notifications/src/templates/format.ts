/** `24 November 2026, 14:05 UTC`. */
export const formatTime = (time: Date): string =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(time).replace(' at ', ', ')} UTC`

/** `24 November 2026`. */
export const formatDay = (time: Date): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(time)

/** `1 photo`, `2 photos`. */
export const formatCount = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

/** An event in a sentence: its name in quotation marks, if it is known. */
export const formatEvent = (name: string | undefined): string => (name ? `“${name}”` : 'your event')
