import { isSupported } from './file-validation.ts'
import { withTimeout } from './time-limit.ts'

const HEAD_BYTES = 12
/** The file may be in a cloud. */
const READ_TIMEOUT_MS = 5_000

/** What the first bytes look like, one character for each, and the type that it means; `undefined`: not supported. */
const signatures: readonly [RegExp, string | undefined][] = [
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^\x89PNG/, 'image/png'],
  [/^GIF8/, 'image/gif'],
  [/^RIFF.{4}WEBP/s, 'image/webp'],
  // The major brand of an ISO base media file. Audio, AVIF, raw photos of Canon and videos of phones without GSM are not supported.
  [/^.{4}ftyp(?:M4A |M4B |F4A |F4B |avi[fs]|crx |3g2)/s, undefined],
  [/^.{4}ftyp(?:hei[cxms]|hev[cxms]|mif1|msf1)/s, 'image/heic'],
  [/^.{4}(?:ftypqt {2}|moov|mdat|wide|free)/s, 'video/quicktime'],
  [/^.{4}ftyp/s, 'video/mp4'],
]

/** Returns the type that the first bytes of a file stand for, if it is a supported one. */
export const detectType = (head: Uint8Array): string | undefined => {
  const text = String.fromCharCode(...head)
  return signatures.find(([pattern]) => pattern.test(text))?.[1]
}

const readHead = async (file: File): Promise<Uint8Array> =>
  new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer())

/** Returns the file with the type of its first bytes, unless its own type or its extension is supported. */
export const recogniseType = async (file: File): Promise<File> => {
  if (isSupported(file)) return file
  const { name, lastModified } = file
  const type = await withTimeout(
    READ_TIMEOUT_MS,
    () => new Error('The file cannot be read.'),
    async () => detectType(await readHead(file)),
  ).catch(() => undefined)
  return type === undefined ? file : new File([file], name, { type, lastModified })
}

export const recogniseTypes = (files: readonly File[]): Promise<File[]> =>
  Promise.all(files.map(recogniseType))
