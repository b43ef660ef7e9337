// In a file without zod, so that pages can import it without loading it.

/** The characters of short codes: those that nobody mistakes for one another, on paper or aloud. */
export const SHORT_CODE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
export const SHORT_CODE_LENGTH = 8

/** Characters that no code has, and the only one that looks like them. `1`, `I` and `L` look like several. */
const lookAlikes: Readonly<Record<string, string>> = { '0': 'Q', O: 'Q', U: 'V' }

/** A short code as it is stored. */
export const shortCodePattern = new RegExp(`^[${SHORT_CODE_ALPHABET}]{${SHORT_CODE_LENGTH}}$`)

/**
 * The short code that somebody has typed: in any case, also in full-width characters, with or without dashes and spaces.
 * Undefined if it can be none.
 */
export const parseShortCode = (typed: string): string | undefined => {
  const code = typed
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .replaceAll(/[0OU]/g, (character) => lookAlikes[character] ?? character)
  return shortCodePattern.test(code) ? code : undefined
}

/** A short code as people read it, `7F3K-9QXM`. */
export const formatShortCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** The path of the short link to an event. */
export const shortLinkPath = (code: string): string => `/e/${formatShortCode(code)}`
