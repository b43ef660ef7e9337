import { withTimeout } from '@confetti/api-client'
import { mediaTypeRows } from '@confetti/contracts'
import { getText, type TextId } from '../../texts.ts'
import { isSupported, UnsupportedFileError } from './file-validation.ts'

interface UnsupportedType {
  /** What its first 12 bytes look like, one character for each. */
  head: RegExp
  /** The text that says what to send instead. */
  advice: TextId
}

/** Types that guests often choose although they cannot be uploaded. */
const unsupportedTypes: readonly UnsupportedType[] = [
  // ProRAW of iPhones, raw photos of Android phones and of most cameras, and TIFF, which they are written as.
  { head: /^(?:II(?:[*U]\0|R[OS])|MM\0\*|FUJIFILM)/, advice: 'upload.file.raw' },
  // CR3 of Canon.
  { head: /^.{4}ftypcrx /s, advice: 'upload.file.raw' },
  { head: /^.{4}ftypavi[fs]/s, advice: 'upload.file.avif' },
  // Matroska and WebM.
  // eslint-disable-next-line no-control-regex -- it is a byte of the format.
  { head: /^\x1aE\xdf\xa3/, advice: 'upload.file.video' },
  { head: /^RIFF.{4}AVI /s, advice: 'upload.file.video' },
]

const HEAD_BYTES = 12
/** The file may be in a cloud. */
const READ_TIMEOUT_MS = 5_000
/** Old phones slow down if hundreds of files are opened at once. */
const MAX_CONCURRENT_READS = 8

/** A file with the type of its first bytes, and why it cannot be uploaded, if they are of no supported type. */
export interface ExaminedFile {
  file: File
  error?: UnsupportedFileError | undefined
}

/** Returns the type that the first bytes of a file stand for, if it is a supported one. */
export const detectType = (head: Uint8Array): string | undefined => {
  const text = String.fromCharCode(...head)
  return mediaTypeRows.find(({ head: pattern }) => pattern.test(text))?.type
}

/** Returns the error of a file that is of no supported type. */
const createError = (head: Uint8Array): UnsupportedFileError => {
  const text = String.fromCharCode(...head)
  const row = unsupportedTypes.find(({ head: pattern }) => pattern.test(text))
  return new UnsupportedFileError(() => getText(row?.advice ?? 'upload.file.unsupported'))
}

/** Reads the first bytes of a file. Returns undefined if they do not come in time, or if there are none. */
const readHead = async (file: File): Promise<Uint8Array | undefined> => {
  const head = await withTimeout(
    READ_TIMEOUT_MS,
    () => new Error('The file cannot be read.'),
    async () => new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()),
  ).catch(() => undefined)
  return head?.length === 0 ? undefined : head
}

/** Examines the first bytes of a file. One whose bytes cannot be read stays as it is. */
export const examineFile = async (file: File): Promise<ExaminedFile> => {
  const head = await readHead(file)
  if (!head) return { file }
  const type = detectType(head)
  if (!type) return { file, error: createError(head) }
  // Its own type or its extension tells enough, and a copy may lose what the browser knows of the original.
  if (isSupported(file)) return { file }
  const { name, lastModified } = file
  return { file: new File([file], name, { type, lastModified }) }
}

/** Examines files, a few at a time, and returns them in their order. */
export const examineFiles = async (files: readonly File[]): Promise<ExaminedFile[]> => {
  const examined: ExaminedFile[] = []
  const remaining = files.entries()
  const examineNext = async (): Promise<void> => {
    // All share one iterator, so each file is read once.
    for (const [index, file] of remaining) examined[index] = await examineFile(file)
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT_READS }, examineNext))
  return examined
}
