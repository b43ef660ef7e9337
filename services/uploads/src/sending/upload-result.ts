import type { Upload } from '@confetti/contracts'
import type { AddedUpload } from '../upload.ts'

/** The answer to a guest about a file that is stored. */
export interface UploadResult extends Pick<
  Upload,
  '_id' | 'originalName' | 'contentType' | 'size' | 'sha256'
> {
  /** Whether the event already had the same bytes under the same credit. */
  duplicate: boolean
}

/** `originalName` is the name that the file had this time, which for a duplicate may differ. */
export const toUploadResult = (
  { upload: { _id, contentType, size, sha256 }, duplicate }: Pick<AddedUpload, 'upload' | 'duplicate'>,
  originalName: string,
): UploadResult => ({ _id, originalName, contentType, size, sha256, duplicate })
