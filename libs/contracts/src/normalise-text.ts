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
