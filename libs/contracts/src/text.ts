import { z } from 'zod'

// Everything below U+0020 but tab and line feed, and DEL: nothing that a person types, and NUL cannot be stored.
// eslint-disable-next-line no-control-regex
const controlCharacters = /[\u0000-\u0008\u000b-\u001f\u007f]/g

/** A person's text as it is kept: whole characters only, no control characters, NFC, trimmed. */
export const normaliseText = (text: string): string =>
  text.toWellFormed().replaceAll(/\r\n?/g, '\n').replaceAll(controlCharacters, '').normalize('NFC').trim()

/** How long a person would say a text is. */
export const codePoints = (text: string): number => [...text].length

/** Text of at most `max` code points after `normaliseText`. */
export const text = (max: number, tooLong: string) =>
  z
    .string({ error: 'A text was expected.' })
    .overwrite(normaliseText)
    .refine((value) => codePoints(value) <= max, { error: tooLong })
    .meta({ maxLength: max })

/** As `text`; blank counts as missing, and both answer `missing`. */
export const requiredText = (max: number, missing: string, tooLong: string) =>
  z
    .string({ error: missing })
    .overwrite(normaliseText)
    .min(1, { error: missing, abort: true })
    .refine((value) => codePoints(value) <= max, { error: tooLong })
    .meta({ maxLength: max })
