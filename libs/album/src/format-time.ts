import { getFormatLocale } from '@confetti/i18n'

/** A day and time of day in the browser's time zone. */
export const formatTime = (time: string): string => new Date(time).toLocaleString(getFormatLocale())
