import type { TextId } from '../../texts.ts'
import type { typesWithAdvice } from './file-validation.ts'

interface UnsupportedType {
  /** What its first 12 bytes look like, one character for each. */
  head: RegExp
  /** The text that says what to send instead. */
  advice: TextId
}

/** Types that guests often choose although they cannot be uploaded. */
export const unsupportedTypes: Readonly<Record<(typeof typesWithAdvice)[number], UnsupportedType>> = {
  // ProRAW of iPhones, raw photos of Android phones and of most cameras, and TIFF, which they are written as.
  'image/x-adobe-dng': { head: /^(?:II(?:[*U]\0|R[OS])|MM\0\*|FUJIFILM)/, advice: 'upload.file.raw' },
  'image/x-canon-cr3': { head: /^.{4}ftypcrx /s, advice: 'upload.file.raw' },
  'image/avif': { head: /^.{4}ftypavi[fs]/s, advice: 'upload.file.avif' },
  // WebM begins in the same way.
  // eslint-disable-next-line no-control-regex -- it is a byte of the format.
  'video/x-matroska': { head: /^\x1aE\xdf\xa3/, advice: 'upload.file.video' },
  'video/x-msvideo': { head: /^RIFF.{4}AVI /s, advice: 'upload.file.video' },
}
