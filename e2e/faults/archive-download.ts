import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createEventArchive, type Archive } from '@confetti/contracts'
import { call, eventually } from '@confetti/test-kit'
import type { Harness } from '../harness.ts'

const RETRY_MS = 500
const MAX_ATTEMPTS = 200

/** Asks for an archive of an event, again while it is being prepared. */
export const createArchive = ({ api, admin }: Harness, eventId: string): Promise<Archive> =>
  eventually(
    async () => {
      const { status, body } = await call(api, createEventArchive, {
        token: admin.token,
        params: { eventId },
        body: {},
      })
      return status === 201 && (body as Archive)
    },
    'the link to an archive',
    60_000,
  )

/** A response by which the download can't resume, unlike a connection that breaks. */
class WrongResponseError extends Error {
  override name = 'WrongResponseError'
}

export interface Download {
  bytes: Buffer
  /** How often the connection broke, or the server answered 502 or 503. */
  interruptions: number
}

/**
 * Downloads an archive as a browser does: after an interruption it resumes where it stopped. Throws when a
 * response does not allow that, or if the bytes are more or fewer than announced.
 */
export const downloadArchive = async (
  { url, bytes: size }: Archive,
  { onBytes = () => undefined }: { onBytes?: (received: number) => Promise<void> | void } = {},
): Promise<Download> => {
  const chunks: Uint8Array[] = []
  let received = 0
  let etag: string | null = null
  let interruptions = 0
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const headers: Record<string, string> = { ...(etag && { Range: `bytes=${received}-`, 'If-Range': etag }) }
    try {
      const response: Response = await fetch(url, { headers })
      if (response.status === 502 || response.status === 503) throw new Error(String(response.status))
      const expectedStatus = etag ? 206 : 200
      if (response.status !== expectedStatus || !response.body)
        throw new WrongResponseError(
          `${response.status} instead of ${expectedStatus}: ${await response.text()}`,
        )
      etag ??= response.headers.get('etag')
      for await (const chunk of response.body) {
        chunks.push(chunk)
        received += chunk.length
        await onBytes(received)
      }
      if (received !== size) throw new WrongResponseError(`${received} bytes instead of ${size}`)
      return { bytes: Buffer.concat(chunks), interruptions }
    } catch (error) {
      if (error instanceof WrongResponseError) throw error
      interruptions += 1
      await sleep(RETRY_MS)
    }
  }
  throw new Error(`The download was interrupted ${interruptions} times`)
}

export const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
