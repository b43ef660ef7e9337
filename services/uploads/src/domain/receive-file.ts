import { createHash } from 'node:crypto'
import { MB, type MediaType, type UploadLimits } from '@confetti/contracts'
import { AppError, invalid, tooLarge, unsupportedType } from '@confetti/service-kit'
import type { FormPart } from '../multipart/read-multipart.ts'
import { mediaTypeOf, peek } from '../multipart/sniff.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import type { StagedBlob } from '../storage/staged-blob.ts'
import { originalNameOf } from './file-names.ts'

export interface ReceivedFile {
  _id: string
  originalName: string
  contentType: MediaType
  size: number
  sha256: string
  staged: StagedBlob
}
export interface RefusedFile {
  originalName: string
  refusal: AppError
}

interface Deps {
  blobs: BlobStore
  limits: UploadLimits
  newId: () => string
}

/**
 * Streams one file into blob storage, where nobody can read it yet, and says what it is. A file that we do not
 * take, or that did not come whole, comes back refused and leaves nothing behind. Throws `unavailable`.
 */
export const makeReceiveFile =
  ({ blobs, limits, newId }: Deps) =>
  async ({
    sentName,
    bytes,
    skip,
  }: Extract<FormPart, { kind: 'file' }>): Promise<ReceivedFile | RefusedFile> => {
    const _id = newId()
    const originalName = originalNameOf(sentName)
    const staged = blobs.stage(_id)
    try {
      const { head, all } = await peek(bytes)
      if (head.length === 0) throw invalid('The file is empty.', { code: 'empty_file' })
      const contentType = await mediaTypeOf(head)
      if (!contentType)
        throw unsupportedType(
          'Only JPG, PNG, GIF, WEBP and HEIC images and MP4 and MOV videos can be uploaded.',
        )
      const hash = createHash('sha256')
      let size = 0
      for await (const chunk of all) {
        size += chunk.length
        if (size > limits.MAX_FILE_BYTES)
          throw tooLarge(`The file is larger than ${(limits.MAX_FILE_BYTES / MB).toLocaleString('en')} MB.`)
        hash.update(chunk)
        await staged.write(chunk)
      }
      return { _id, originalName, contentType, size, sha256: hash.digest('hex'), staged }
    } catch (error) {
      await staged.discard()
      // Blob storage that is away now is so for the next file, too, and the guest waits.
      if (!(error instanceof AppError) || error.kind === 'unavailable') throw error
      skip()
      return { originalName, refusal: error }
    }
  }
export type ReceiveFile = ReturnType<typeof makeReceiveFile>
