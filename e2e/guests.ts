import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendFiles, uniquePhoto } from '@confetti/test-kit'
import { formAround } from '@confetti/test-kit/upload-form'
import { sha256 } from './sha256.ts'
import type { Stand } from './stand.ts'

/** What the system has promised to keep. */
export interface Acknowledged {
  uploadId: string
  sha256: string
}

/**
 * Sends one photo as our client does: a lost connection, a 429 or a 503 waits as it is told to and tries again,
 * with the same bytes. Any other refusal is an error.
 */
export const sendUntilKept = async (
  { api, event }: Stand,
  credit: string,
  bytes: Buffer<ArrayBuffer>,
): Promise<Acknowledged> => {
  for (let tries = 0; tries < 100; tries += 1) {
    const reply = await sendFiles(api, event._id, [{ name: 'image.jpg', bytes }], credit).catch(
      () => undefined,
    )
    if (reply?.status === 201) return { uploadId: reply.body.uploads[0]._id as string, sha256: sha256(bytes) }
    if (reply && ![429, 502, 503, 504].includes(reply.status))
      throw new Error(`refused with ${reply.status}: ${JSON.stringify(reply.body)}`)
    await sleep(Number(reply?.headers.get('retry-after') ?? 0.2) * 1_000)
  }
  throw new Error('not kept after 100 tries')
}

/** Guests who each send `photos` photos, one after the other; what was acknowledged to them. */
export const guestsSend = async (stand: Stand, guests: number, photos: number): Promise<Acknowledged[]> => {
  const each = await Promise.all(
    Array.from({ length: guests }, async (_, guest) => {
      const kept: Acknowledged[] = []
      for (let photo = 0; photo < photos; photo += 1)
        kept.push(await sendUntilKept(stand, `Table ${guest}`, await uniquePhoto()))
      return kept
    }),
  )
  return each.flat()
}

export interface LargeFile {
  name: string
  size: number
  /** Its bytes, from the first to the last; the same at each call. */
  chunks: () => Iterable<Buffer>
}

/** Streams a file that is too large for memory into an event; resolves with the answer's status. */
export const streamFile = ({ api, event }: Stand, { name, size, chunks }: LargeFile): Promise<number> =>
  new Promise((resolve, reject) => {
    const form = formAround({ eventId: event._id, credit: name, name })
    const sending = request(`${api}/api/uploads`, {
      method: 'POST',
      headers: {
        'Content-Type': form.contentType,
        'Content-Length': form.lengthWith(size),
      },
    })
    sending.on('error', reject)
    sending.on('response', (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    void (async () => {
      sending.write(form.head)
      for (const chunk of chunks())
        if (!sending.write(chunk)) await new Promise((drained) => sending.once('drain', drained))
      sending.end(form.end)
    })()
  })
