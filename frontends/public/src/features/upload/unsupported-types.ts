import type { TextId } from '../../texts.ts'

interface UnsupportedType {
  /** What its first 12 bytes look like, one character for each. */
  head: RegExp
  /** The text that says what to send instead. */
  advice: TextId
}

/** Types that guests often choose although they cannot be uploaded. */
export const unsupportedTypes: readonly UnsupportedType[] = [
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
