import { isVideo } from '@confetti/contracts'
import { toSafeFolderName } from './file-names.ts'
import type { StoredUpload } from './upload.ts'

/**
 * The file that a guest can save of an upload; without `blob` if it has not been made. Its name has the time and the credit:
 * what a file was called on the phone of another guest is not theirs to see.
 */
export const saveableFile = ({
  contentType,
  hasRendition,
  copy,
  takenAt,
  uploadedAt,
  photoCredit,
}: Pick<
  StoredUpload,
  'contentType' | 'hasRendition' | 'copy' | 'takenAt' | 'uploadedAt' | 'photoCredit'
>) => {
  const time = (takenAt ?? uploadedAt.toISOString()).slice(0, 19).replace('T', ' ').replaceAll(':', '.')
  const stem = `${time} ${toSafeFolderName(photoCredit)}`
  return isVideo(contentType)
    ? ({
        name: `${stem}.mp4`,
        contentType: 'video/mp4',
        blob: hasRendition ? 'rendition' : undefined,
      } as const)
    : ({ name: `${stem}.jpg`, contentType: 'image/jpeg', blob: copy ? 'copy' : undefined } as const)
}
