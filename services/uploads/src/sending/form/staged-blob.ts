import { MB, type MediaType } from '@confetti/contracts'
import { unavailable } from '@confetti/service-kit'
import type { BlockBlobClient, BlockBlobUploadOptions } from '@azure/storage-blob'
import { createBlock } from './block.ts'
import type { MemoryBudget } from './memory-budget.ts'
import type { SegmentPool } from './segment-pool.ts'

const BLOCK_BYTES = 4 * MB
const MAX_FILL_MS = 5_000

/** A file on its way into blob storage. It cannot be read before `commit`. */
export interface StagedBlob {
  /** Appends bytes; resolves when more can be accepted. */
  write: (chunk: Buffer) => Promise<void>
  /** Stages the bytes that are in memory, so that the file uses none while it waits for its commit. */
  flush: () => Promise<void>
  /** Makes the blob readable. Throws `unavailable` if that fails or `deadline` passes; `discard` then keeps it. */
  commit: (contentType: MediaType, deadline: Deadline) => Promise<void>
  /** Releases the memory and removes what was staged. Never throws: the sweep removes what is left. */
  discard: () => Promise<void>
}

const storeFailed = (error: unknown): Error =>
  unavailable('The upload could not be stored right now. Please try again in a moment.', 2, error)

/** Options that abort all calls to blob storage that they are passed to, `timeoutMs` from now. */
export const newDeadline = (timeoutMs: number) => ({ abortSignal: AbortSignal.timeout(timeoutMs) })
export type Deadline = ReturnType<typeof newDeadline>

/**
 * Stages blocks while the bytes arrive: one block is in flight while the next one fills. When the memory budget is
 * exhausted it stages what it has, however little. The last file of a form, if it fits into one block, takes one
 * request.
 */
export const stageBlob = (
  blob: BlockBlobClient,
  {
    memoryBudget,
    segments,
    newCallDeadline,
  }: { memoryBudget: MemoryBudget; segments: SegmentPool; newCallDeadline: () => Deadline },
): StagedBlob => {
  const reservation = memoryBudget.newReservation()
  const blockIds: string[] = []
  let filling = createBlock(segments)
  let inFlight: Promise<void> = Promise.resolve()
  let committed = false
  let failed = false
  // A slow or silent phone must not keep memory that other uploads need.
  const fillTimer = setTimeout(() => void stageBlock().catch(() => undefined), MAX_FILL_MS)

  /** Starts a new block; returns the old one and how to release its reservation. */
  const nextBlock = () => {
    const block = filling
    filling = createBlock(segments)
    const bytes = block.capacity()
    return { ...block, releaseReservation: () => reservation.release(bytes) }
  }

  const onFailure = (error: unknown): never => {
    failed = true
    throw error
  }

  /** Starts staging the current block when the block before it is done. */
  const stageBlock = async (deadline?: Deadline): Promise<void> => {
    await inFlight
    if (filling.size() === 0) return
    const block = nextBlock()
    const id = Buffer.from(String(blockIds.length).padStart(6, '0')).toString('base64')
    blockIds.push(id)
    inFlight = blob
      .stageBlock(id, block.body, block.size(), deadline ?? newCallDeadline())
      .then(block.release)
      .catch(onFailure)
      .finally(block.releaseReservation)
    // The next call awaits it; until then a rejection must not count as unhandled.
    inFlight.catch(() => undefined)
  }

  const flush = async (deadline?: Deadline): Promise<void> => {
    await stageBlock(deadline)
    await inFlight
  }

  const uploadWhole = async (options: BlockBlobUploadOptions): Promise<void> => {
    const block = nextBlock()
    try {
      await blob.upload(block.body, block.size(), options)
      block.release()
    } finally {
      block.releaseReservation()
    }
  }

  return {
    write: async (chunk) => {
      try {
        const growth = filling.growthFor(chunk.length)
        if (growth > 0 && !reservation.tryReserve(growth)) {
          await flush()
          await reservation.reserve(filling.growthFor(chunk.length))
        }
        if (filling.size() === 0) fillTimer.refresh()
        filling.append(chunk)
        if (filling.size() >= BLOCK_BYTES) await stageBlock()
      } catch (error) {
        throw storeFailed(error)
      }
    },
    flush: async () => {
      try {
        await flush()
      } catch (error) {
        throw storeFailed(error)
      }
    },
    commit: async (contentType, deadline) => {
      clearTimeout(fillTimer)
      const options = { blobHTTPHeaders: { blobContentType: contentType }, ...deadline }
      try {
        if (blockIds.length === 0) await uploadWhole(options)
        else {
          await flush(deadline)
          await blob.commitBlockList(blockIds, options)
        }
        committed = true
      } catch (error) {
        failed = true
        throw storeFailed(error)
      }
    },
    discard: async () => {
      clearTimeout(fillTimer)
      nextBlock().releaseReservation()
      await inFlight.catch(() => undefined)
      // If blob storage has just failed, cleaning up would fail too: the sweep does it later.
      if (committed || failed || blockIds.length === 0) return
      // Uncommitted blocks cannot be deleted: an empty blob replaces them and is deleted.
      await blob
        .upload('', 0, newCallDeadline())
        .then(() => blob.deleteIfExists(newCallDeadline()))
        .catch(() => undefined)
    },
  }
}
