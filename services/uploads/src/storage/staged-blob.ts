import { MB, type MediaType } from '@confetti/contracts'
import { unavailable } from '@confetti/service-kit'
import type { BlockBlobClient, BlockBlobUploadOptions } from '@azure/storage-blob'
import type { BytesInFlight } from '../domain/bytes-in-flight.ts'
import { createBlock } from './block.ts'
import type { SegmentPool } from './segment-pool.ts'

const BLOCK_BYTES = 4 * MB
const MAX_FILLING_MS = 5_000

/** A file on its way into blob storage: nothing of it can be read before `commit`. */
export interface StagedBlob {
  /** Takes the next bytes; waits while blob storage or the memory ceiling hold it up. */
  write: (chunk: Buffer) => Promise<void>
  /** Lets go of memory while the rest of the request goes on. */
  park: () => Promise<void>
  /** Makes the blob readable within `limit`; `discard` no longer touches it. Throws `unavailable`. */
  commit: (contentType: MediaType, limit: TimeLimit) => Promise<void>
  /** Frees everything and leaves nothing behind. Never throws: what it cannot remove now, the sweep will. */
  discard: () => Promise<void>
}

const busy = (error: unknown): Error =>
  unavailable('The upload could not be stored right now. Please try again in a moment.', 2, error)

/** Options that end calls to blob storage which take longer than `limitMs` from now, together. */
export const timeLimit = (limitMs: number) => ({ abortSignal: AbortSignal.timeout(limitMs) })
export type TimeLimit = ReturnType<typeof timeLimit>

/**
 * Stages blocks while the bytes arrive, one block under way while the next one fills. When the memory ceiling is
 * near it stages what it has, however little. A form's last file, if it fits into one block, goes in one request.
 */
export const stageBlob = (
  blob: BlockBlobClient,
  { room, segments, newLimit }: { room: BytesInFlight; segments: SegmentPool; newLimit: () => TimeLimit },
): StagedBlob => {
  const place = room.newPlace()
  const blockIds: string[] = []
  let filling = createBlock(segments)
  let underWay: Promise<void> = Promise.resolve()
  let committed = false
  let failed = false
  // A phone that is slow or falls silent must not keep memory that others need.
  const filled = setTimeout(() => void flush().catch(() => undefined), MAX_FILLING_MS)

  /** What is held, and how to give its room back. */
  const takeBlock = () => {
    const block = filling
    filling = createBlock(segments)
    const bytes = block.capacity()
    return { ...block, giveBack: () => place.giveBack(bytes) }
  }

  const onFailure = (error: unknown): never => {
    failed = true
    throw error
  }

  /** Begins to stage what is held, once the block before it is through. */
  const flush = async (limit?: TimeLimit): Promise<void> => {
    await underWay
    if (filling.size() === 0) return
    const block = takeBlock()
    const id = Buffer.from(String(blockIds.length).padStart(6, '0')).toString('base64')
    blockIds.push(id)
    underWay = blob
      .stageBlock(id, block.body, block.size(), limit ?? newLimit())
      .then(block.release)
      .catch(onFailure)
      .finally(block.giveBack)
    // Whoever comes next awaits it; until then a failure is nobody's surprise.
    underWay.catch(() => undefined)
  }

  const putWhole = async (options: BlockBlobUploadOptions): Promise<void> => {
    const whole = takeBlock()
    try {
      await blob.upload(whole.body, whole.size(), options)
      whole.release()
    } finally {
      whole.giveBack()
    }
  }

  const park = async (limit?: TimeLimit): Promise<void> => {
    await flush(limit)
    await underWay
  }

  return {
    write: async (chunk) => {
      try {
        const growth = filling.growthFor(chunk.length)
        if (growth > 0 && !place.tryTake(growth)) {
          await park()
          await place.take(filling.growthFor(chunk.length))
        }
        if (filling.size() === 0) filled.refresh()
        filling.append(chunk)
        if (filling.size() >= BLOCK_BYTES) await flush()
      } catch (error) {
        throw busy(error)
      }
    },
    park: async () => {
      try {
        await park()
      } catch (error) {
        throw busy(error)
      }
    },
    commit: async (contentType, limit) => {
      clearTimeout(filled)
      const options = { blobHTTPHeaders: { blobContentType: contentType }, ...limit }
      try {
        if (blockIds.length === 0) await putWhole(options)
        else {
          await park(limit)
          await blob.commitBlockList(blockIds, options)
        }
        committed = true
      } catch (error) {
        failed = true
        throw busy(error)
      }
    },
    discard: async () => {
      clearTimeout(filled)
      takeBlock().giveBack()
      await underWay.catch(() => undefined)
      // Blob storage that failed just now would fail again: the sweep has time.
      if (committed || failed || blockIds.length === 0) return
      // Blocks without a blob cannot be deleted: an empty blob takes their place, and goes.
      await blob
        .upload('', 0, newLimit())
        .then(() => blob.deleteIfExists(newLimit()))
        .catch(() => undefined)
    },
  }
}
