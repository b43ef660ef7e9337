import type { GuestEvent } from '@confetti/contracts'
import type { Locale } from '@confetti/i18n'

/** The event with its name and welcome text in this language, where its organisers have translated them. */
export const translateEvent = (event: GuestEvent, locale: Locale): GuestEvent => ({
  ...event,
  ...event.translations?.[locale],
})
