import { crc32 } from 'node:zlib'
import { RestError } from '@azure/storage-blob'
import { blobNames } from '@confetti/contracts'
import { unavailable } from '@confetti/service-kit'
import { archiveOutdated } from '../archive/find-archive.ts'
import type { ReadOriginal } from '../archive/read-archive.ts'
import type { BlobAccount } from './blob-account.ts'

/** Reads originals for archives. */
export const createArchiveBlobs = ({ container, newCallDeadline }: BlobAccount) => {
  const readOriginal: ReadOriginal = async (uploadId, { start, end }, signal) => {
    const buffer = Buffer.allocUnsafeSlow(end - start)
    const abortSignal = AbortSignal.any([signal, newCallDeadline().abortSignal])
    try {
      return await container
        .getBlobClient(blobNames.original(uploadId))
        .downloadToBuffer(buffer, start, end - start, { abortSignal, blockSize: end - start })
    } catch (error) {
      // It was deleted a moment ago.
      if (error instanceof RestError && error.statusCode === 404) throw archiveOutdated()
      throw unavailable('The files could not be read right now. Please try again in a moment.', 2, error)
    }
  }

  return {
    readOriginal,

    computeCrc32: async (uploadId: string): Promise<number> => {
      try {
        const blob = container.getBlobClient(blobNames.original(uploadId))
        const { readableStreamBody = [] } = await blob.download(0, undefined, newCallDeadline())
        let checksum = 0
        for await (const chunk of readableStreamBody) checksum = crc32(chunk, checksum)
        return checksum
      } catch (error) {
        throw unavailable('The files could not be read right now. Please try again in a moment.', 2, error)
      }
    },
  }
}
