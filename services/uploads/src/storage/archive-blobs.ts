import { crc32 } from 'node:zlib'
import { blobNames } from '@confetti/contracts'
import { unavailable } from '@confetti/service-kit'
import { PIECE_BYTES, type ReadOriginal } from '../archives/download.ts'
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
      const cause = new Error(`failed to read the original of upload ${uploadId}`, { cause: error })
      throw unavailable('The files could not be read right now. Please try again in a moment.', 2, cause)
    }
  }

  return {
    readOriginal,

    /** Reads an original in pieces, each within the time limit of a call, and returns its CRC-32. */
    computeCrc32: async (uploadId: string, size: number): Promise<number> => {
      const { signal } = new AbortController()
      let checksum = 0
      for (let start = 0; start < size; start += PIECE_BYTES) {
        const end = Math.min(start + PIECE_BYTES, size)
        checksum = crc32(await readOriginal(uploadId, { start, end }, signal), checksum)
      }
      return checksum
    },
  }
}
