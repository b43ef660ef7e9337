import { ApiError } from '@confetti/api-client'
import type { BlockTransfer } from '@confetti/contracts'
import type { BlockLimit } from './block-limit.ts'
import type { putBlob } from './put-blob.ts'

export interface SendBlocksDeps {
  putBlob: typeof putBlob
  blockLimit: BlockLimit
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  random: () => number
  isOnline: () => boolean
}

interface Options {
  transfer: BlockTransfer
  /** The ids of the blocks that have arrived. Each block that arrives is added. */
  received: Set<string>
  signal: AbortSignal
  /** Called with the bytes sent so far, and those of them that have arrived. */
  onProgress: (sentBytes: number, arrivedBytes: number) => void
}

const MAX_ATTEMPTS = 3
const FIRST_BACKOFF_MS = 1_000

const isWorthRetrying = (error: unknown): boolean => error instanceof ApiError && error.isRetryable

/**
 * Sends the blocks of a file that have not arrived, some of them in parallel. A block that fails is sent again, after a
 * pause. If it fails three times, or the device is offline, the others are aborted, and it rejects with the error.
 */
export const sendBlocks = async (
  file: Blob,
  { transfer, received, signal, onProgress }: Options,
  { putBlob: put, blockLimit, wait, random, isOnline }: SendBlocksDeps,
): Promise<void> => {
  const { url, headers, blockBytes, blockIds } = transfer
  const sliceBlock = (index: number): Blob => file.slice(index * blockBytes, (index + 1) * blockBytes)
  const sentBytesInFlight = new Map<string, number>()
  const reportProgress = (): void => {
    const arrivedBytes = blockIds.reduce(
      (sum, id, index) => (received.has(id) ? sum + sliceBlock(index).size : sum),
      0,
    )
    const inFlightBytes = [...sentBytesInFlight.values()].reduce((sum, bytes) => sum + bytes, 0)
    onProgress(arrivedBytes + inFlightBytes, arrivedBytes)
  }

  // Aborts the other blocks when one has failed for good.
  const controller = new AbortController()
  const abort = (): void => controller.abort(signal.reason)
  signal.throwIfAborted()
  signal.addEventListener('abort', abort)

  const sendOnce = async (id: string, body: Blob): Promise<void> => {
    try {
      await put({
        url: `${url}&comp=block&blockid=${encodeURIComponent(id)}`,
        headers,
        body,
        signal: controller.signal,
        onProgress: (sentBytes) => {
          sentBytesInFlight.set(id, sentBytes)
          reportProgress()
        },
      })
      received.add(id)
    } finally {
      sentBytesInFlight.delete(id)
      reportProgress()
    }
  }

  const sendBlock = async (id: string, index: number): Promise<void> => {
    for (let attempt = 1; ; attempt += 1)
      try {
        await blockLimit.run(() => sendOnce(id, sliceBlock(index)), controller.signal)
        return
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !isOnline() || !isWorthRetrying(error)) throw error
        const retryAfterMs = error instanceof ApiError ? error.retryAfterMs : undefined
        const backoffMs = FIRST_BACKOFF_MS * 2 ** (attempt - 1) * (0.5 + random() / 2)
        await wait(retryAfterMs ?? backoffMs, controller.signal)
        controller.signal.throwIfAborted()
      }
  }

  reportProgress()
  try {
    await Promise.all(
      blockIds.map(async (id, index) => {
        if (!received.has(id)) await sendBlock(id, index)
      }),
    )
  } catch (error) {
    controller.abort(error)
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
