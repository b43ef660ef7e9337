type WorkerMessage = { hashedBytes: number } | { sha256: string | undefined }

/** Files up to this size are hashed by WebCrypto, which needs the whole file in memory. */
const WEB_CRYPTO_LIMIT_BYTES = 8 * 1024 * 1024
const STALL_TIMEOUT_MS = 20_000

const toHex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** Rejects when the signal aborts, or when `restartTimeout` is not called for `STALL_TIMEOUT_MS`. */
const withStallTimeout = async <T>(
  signal: AbortSignal,
  work: (restartTimeout: () => void) => Promise<T>,
): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let abort = (): void => undefined
  try {
    return await Promise.race([
      new Promise<never>((_, reject) => {
        abort = () => reject(signal.reason as Error)
        signal.addEventListener('abort', abort)
      }),
      new Promise<T>((resolve, reject) => {
        const restartTimeout = (): void => {
          clearTimeout(timer)
          timer = setTimeout(() => reject(new Error('The file could not be read in time.')), STALL_TIMEOUT_MS)
        }
        restartTimeout()
        work(restartTimeout).then(resolve, reject)
      }),
    ])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

/** Starts the worker from its text, because the file of a script may be at another origin, which browsers refuse. */
const startWorker = async (): Promise<Worker> => {
  const { default: script } = await import('./sha256-worker.ts?script')
  const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }))
  const worker = new Worker(url)
  URL.revokeObjectURL(url)
  return worker
}

const hashInWorker = async (file: Blob, signal: AbortSignal): Promise<string | undefined> => {
  const worker = await startWorker()
  try {
    return await withStallTimeout(
      signal,
      (restartTimeout) =>
        new Promise((resolve, reject) => {
          worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
            restartTimeout()
            if ('sha256' in data) resolve(data.sha256)
          }
          worker.onerror = () => reject(new Error('The hash worker failed.'))
          worker.postMessage(file)
        }),
    )
  } finally {
    worker.terminate()
  }
}

const hashInMemory = async (file: Blob): Promise<string> =>
  toHex(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()))

/** The hashes of files that were computed, because a file may be sent many times until the server has a ticket for it. */
const hashes = new WeakMap<Blob, string>()

/**
 * Returns the SHA-256 of a file, or undefined if it cannot be computed: the hash only saves sending what the server
 * already has. Neither way blocks the page. A file is read once.
 */
export const hashFile = async (file: Blob, signal: AbortSignal): Promise<string | undefined> => {
  const known = hashes.get(file)
  if (known) return known
  try {
    // Pages without TLS have no `crypto.subtle`.
    const canUseWebCrypto = file.size <= WEB_CRYPTO_LIMIT_BYTES && 'subtle' in crypto
    const sha256 = await (canUseWebCrypto
      ? withStallTimeout(signal, () => hashInMemory(file))
      : hashInWorker(file, signal))
    if (sha256) hashes.set(file, sha256)
    return sha256
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}
