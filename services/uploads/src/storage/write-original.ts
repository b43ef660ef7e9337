import type { BlockBlobClient } from '@azure/storage-blob'
import type { MediaType } from '@confetti/contracts'
import { AppError, unavailable } from '@confetti/service-kit'
import type { Deadline } from './link-signer.ts'

interface Options {
  contentType: MediaType
  /** The memory from which bytes are sent. What does not fit is sent in blocks of this size, one after another. */
  buffer: Buffer
  /** For calls to blob storage that follow one another. */
  newCallDeadline: () => Deadline
}

/**
 * Writes a blob that nobody else writes, and that cannot be read before all of it is there. Throws what `chunks` throws, and
 * `unavailable` if blob storage fails. (The SDK's own `uploadStream` never ends if its source is destroyed without an
 * error, or if it is aborted while the source is silent.)
 */
export const writeOriginal = async (
  blob: BlockBlobClient,
  chunks: AsyncIterable<Buffer>,
  { contentType, buffer, newCallDeadline }: Options,
): Promise<void> => {
  const blockIds: string[] = []
  let filled = 0
  const stage = async (deadline: Deadline): Promise<void> => {
    const id = Buffer.from(String(blockIds.length).padStart(6, '0')).toString('base64')
    await blob.stageBlock(id, buffer.subarray(0, filled), filled, deadline)
    blockIds.push(id)
    filled = 0
  }
  try {
    for await (const chunk of chunks)
      for (let taken = 0; taken < chunk.length;) {
        const copied = chunk.copy(buffer, filled, taken)
        taken += copied
        filled += copied
        if (filled === buffer.length) await stage(newCallDeadline())
      }
    // One for all that follows the last byte: the gateway waits for an answer for some seconds longer only.
    const deadline = newCallDeadline()
    const options = { blobHTTPHeaders: { blobContentType: contentType }, ...deadline }
    if (blockIds.length === 0) {
      await blob.upload(buffer.subarray(0, filled), filled, options)
      return
    }
    if (filled > 0) await stage(deadline)
    await blob.commitBlockList(blockIds, options)
  } catch (error) {
    if (error instanceof AppError) throw error
    throw unavailable('The upload could not be stored right now. Please try again in a moment.', 2, error)
  }
}
