// In a file without zod, so that forms can import it without loading it.

// Everything below U+0020 except tab and line feed, and DEL. Nobody types them, and NUL cannot be stored.
// eslint-disable-next-line no-control-regex
const controlCharacters = /[\u0000-\u0008\u000b-\u001f\u007f]/g

/** Normalises text that a person entered: well-formed Unicode, no control characters, NFC, trimmed. */
export const normaliseText = (text: string): string =>
  text
    .replaceAll(/\p{Surrogate}/gu, '\uFFFD')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(controlCharacters, '')
    .normalize('NFC')
    .trim()

/** The number of code points of a text, which is what its limits count. */
export const countCodePoints = (text: string): number => [...text].length

/** Limits of texts in characters (code points), unless a service is configured otherwise. */
export const defaultTextLimits = {
  MAX_CREDIT_CHARACTERS: 80,
  MAX_SUBJECT_CHARACTERS: 200,
  MAX_MESSAGE_CHARACTERS: 5_000,
  MAX_EVENT_NAME_CHARACTERS: 200,
  MAX_EVENT_DESCRIPTION_CHARACTERS: 5_000,
  MAX_WELCOME_CHARACTERS: 500,
}
export type TextLimits = typeof defaultTextLimits

export const MAX_EMAIL_CHARACTERS = 254
/** Of what guests agree to, and of who is responsible for an event. */
export const MAX_CONSENT_CHARACTERS = 1_000
export const MAX_URL_CHARACTERS = 2_048
export const MAX_PASSWORD_CHARACTERS = 1_024
/** What a PIN of an event consists of. */
export const pinPattern = /^[0-9A-Za-z]{4,12}$/

/** What people read about a text with more than `max` characters, such as a `subject`. */
export const tooLongMessage = (what: string, max: number): string =>
  `The ${what} is longer than ${max} characters.`

export const isTooLong = (text: string, max: number): boolean => countCodePoints(normaliseText(text)) > max
