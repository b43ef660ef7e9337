import { ApiError, parseRetryAfterMs, sendBody } from '@confetti/api-client'
import type { BlockTransfer } from '@confetti/contracts'

interface PutOptions {
  url: string
  headers: Readonly<Record<string, string>>
  body: Blob
  signal: AbortSignal
  /** Called with the bytes sent so far. */
  onProgress: (sentBytes: number) => void
}

const STALL_TIMEOUT_MS = 45_000

/**
 * Sends bytes to blob storage. Rejects with an `ApiError` that has the status of the storage, or 0 if it did not respond,
 * made no progress for 45 s, or could not be reached. If the signal aborts, it rejects with the signal's reason.
 */
export const putBlob = async (options: PutOptions): Promise<void> => {
  const request = await sendBody({ method: 'PUT', stallTimeoutMs: STALL_TIMEOUT_MS, ...options })
  const { status } = request
  if (status >= 200 && status < 300) return
  throw new ApiError(
    status,
    { code: 'storage_error', message: 'The file could not be stored.' },
    parseRetryAfterMs(request.getResponseHeader('Retry-After')),
  )
}

const MIN_CONCURRENCY = 1
const FIRST_CONCURRENCY = 2
const MAX_CONCURRENCY = 4
const FAST_BLOCK_MS = 1_500
const SLOW_BLOCK_MS = 10_000

/**
 * Creates the limit on blocks in flight. All files share it, because they share the connection. It starts at two. A block
 * that was sent fast allows one more, up to four: if the connection breaks, little is sent again. A slow or failed block
 * allows one less.
 */
export const createBlockLimit = (now: () => number) => {
  let limit = FIRST_CONCURRENCY
  let inFlight = 0
  const waiting = new Set<() => void>()

  const admitWaiting = (): void => {
    for (const admit of waiting) {
      if (inFlight >= limit) return
      waiting.delete(admit)
      inFlight += 1
      admit()
    }
  }

  const acquire = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject: (reason: Error) => void) => {
      signal.throwIfAborted()
      const abort = (): void => {
        waiting.delete(admit)
        reject(signal.reason as Error)
      }
      const admit = (): void => {
        signal.removeEventListener('abort', abort)
        resolve()
      }
      signal.addEventListener('abort', abort)
      waiting.add(admit)
      admitWaiting()
    })

  const adapt = (change: -1 | 0 | 1): void => {
    limit = Math.min(MAX_CONCURRENCY, Math.max(MIN_CONCURRENCY, limit + change))
  }

  return {
    getLimit: (): number => limit,

    /** Calls `sendBlock` as soon as the limit allows it. */
    run: async (sendBlock: () => Promise<void>, signal: AbortSignal): Promise<void> => {
      await acquire(signal)
      const startedAt = now()
      try {
        await sendBlock()
        const durationMs = now() - startedAt
        adapt(durationMs < FAST_BLOCK_MS ? 1 : durationMs > SLOW_BLOCK_MS ? -1 : 0)
      } catch (error) {
        if (!signal.aborted) adapt(-1)
        throw error
      } finally {
        inFlight -= 1
        admitWaiting()
      }
    },
  }
}

type BlockLimit = ReturnType<typeof createBlockLimit>

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
