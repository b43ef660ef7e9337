import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendFiles, uniquePhoto } from '@confetti/test-kit'
import { buildUploadForm } from '@confetti/test-kit/upload-form'
import type { Harness } from './harness.ts'
import { sha256 } from './sha256.ts'

/** An upload that was answered with 201, and the hash of the bytes that were sent. */
export interface AcknowledgedUpload {
  uploadId: string
  sha256: string
}

const MAX_ATTEMPTS = 100
const RETRYABLE_STATUSES = [429, 502, 503, 504]
const DEFAULT_RETRY_SECONDS = 0.2

/**
 * Uploads one photo as the guest page does: after a lost connection, 429, 502, 503 or 504 it waits for the time in
 * `Retry-After` and sends the same bytes again. Throws on any other error status.
 */
export const uploadWithRetry = async (
  { api, event }: Harness,
  credit: string,
  bytes: Buffer<ArrayBuffer>,
): Promise<AcknowledgedUpload> => {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const response = await sendFiles(api, event._id, [{ name: 'image.jpg', bytes }], credit).catch(
      () => undefined,
    )
    if (response?.status === 201)
      return { uploadId: response.body.uploads[0]._id as string, sha256: sha256(bytes) }
    if (response && !RETRYABLE_STATUSES.includes(response.status))
      throw new Error(`upload rejected with ${response.status}: ${JSON.stringify(response.body)}`)
    await sleep(Number(response?.headers.get('retry-after') ?? DEFAULT_RETRY_SECONDS) * 1_000)
  }
  throw new Error(`upload not acknowledged after ${MAX_ATTEMPTS} attempts`)
}

/** Simulates guests who each upload `photosPerGuest` photos one after the other. Returns all acknowledged uploads. */
export const simulateGuests = async (
  harness: Harness,
  guests: number,
  photosPerGuest: number,
): Promise<AcknowledgedUpload[]> => {
  const acknowledged = await Promise.all(
    Array.from({ length: guests }, async (_, guest) => {
      const uploads: AcknowledgedUpload[] = []
      for (let photo = 0; photo < photosPerGuest; photo += 1)
        uploads.push(await uploadWithRetry(harness, `Table ${guest}`, await uniquePhoto()))
      return uploads
    }),
  )
  return acknowledged.flat()
}

export interface LargeFile {
  name: string
  size: number
  /** Yields the content. Each call yields the same bytes. */
  chunks: () => Iterable<Buffer>
}

/** Streams a file that is too large for memory to an event. Returns the status of the response. */
export const streamUpload = ({ api, event }: Harness, { name, size, chunks }: LargeFile): Promise<number> =>
  new Promise((resolve, reject) => {
    const form = buildUploadForm({ eventId: event._id, credit: name, name })
    const upload = request(`${api}/api/uploads`, {
      method: 'POST',
      headers: {
        'Content-Type': form.contentType,
        'Content-Length': form.contentLengthFor(size),
      },
    })
    upload.on('error', reject)
    upload.on('response', (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    void (async () => {
      upload.write(form.head)
      for (const chunk of chunks())
        if (!upload.write(chunk)) await new Promise((drained) => upload.once('drain', drained))
      upload.end(form.end)
    })()
  })
