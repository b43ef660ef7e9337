import { createHash } from 'node:crypto'
import type { MediaType, UploadLimits } from '@confetti/contracts'
import { AppError } from '@confetti/service-kit'
import { toOriginalName } from '../../file-names.ts'
import { emptyFile, fileTooLarge, unsupportedFile } from '../../rejections.ts'
import { detectMediaType, peekHead } from '../media-type.ts'
import type { FormPart } from './read-multipart.ts'
import type { StagedBlob } from './staged-blob.ts'

export interface ReceivedFile {
  _id: string
  originalName: string
  contentType: MediaType
  size: number
  sha256: string
  staged: StagedBlob
}
export interface RejectedFile {
  originalName: string
  error: AppError
}
export type FileOutcome = ReceivedFile | RejectedFile

interface Deps {
  stage: (uploadId: string) => StagedBlob
  limits: UploadLimits
  newId: (eventId: string) => string
}

/**
 * Streams one file into blob storage, where it cannot be read yet, and determines its type, size and hash. A file that
 * is not accepted or did not arrive whole is returned as rejected, perhaps before its end, and what was staged of it is
 * removed. `eventId` is empty if the form has not named its event yet.
 * Throws `unavailable` if blob storage fails.
 */
export const makeReceiveFile =
  ({ stage, limits, newId }: Deps) =>
  async ({ sentName, bytes }: Extract<FormPart, { kind: 'file' }>, eventId: string): Promise<FileOutcome> => {
    const _id = newId(eventId)
    const originalName = toOriginalName(sentName)
    const staged = stage(_id)
    try {
      const { head, all } = await peekHead(bytes)
      if (head.length === 0) throw emptyFile()
      const contentType = await detectMediaType(head)
      if (!contentType) throw unsupportedFile()
      const hash = createHash('sha256')
      let size = 0
      for await (const chunk of all) {
        size += chunk.length
        if (size > limits.MAX_FILE_BYTES) throw fileTooLarge(limits)
        hash.update(chunk)
        await staged.write(chunk)
      }
      return { _id, originalName, contentType, size, sha256: hash.digest('hex'), staged }
    } catch (error) {
      await staged.discard()
      // The next file would fail as well while the guest waits, so the whole form fails now.
      if (!(error instanceof AppError) || error.kind === 'unavailable') throw error
      return { originalName, error }
    }
  }
export type ReceiveFile = ReturnType<typeof makeReceiveFile>
