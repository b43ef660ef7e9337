import { request } from 'node:http'
import { createUploads, errorBody, MB } from '@confetti/contracts'
import { orHang, sample } from '@confetti/test-kit'
import { formAround } from '@confetti/test-kit/upload-form'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { listUploads } from '../stand.ts'
import { startFaultStand, type FaultStand } from './fault-stand.ts'
import { fileOf, type GuestFile } from './guest-file.ts'
import { leftOver } from './left-over.ts'
import { play } from './play.ts'
import { connectRawSender } from './raw-sender.ts'
import { whenMemoryIsGivenBack, whenSwept } from './stored-blobs.ts'

// In production a file may have 500 MB.
const MAX_FILE_BYTES = 8 * MB
const TOO_LARGE = { status: 413, message: 'The file is larger than 8 MB.' }

let stand: FaultStand

beforeAll(async () => {
  const limits = { MAX_FILE_BYTES: String(MAX_FILE_BYTES) }
  stand = await startFaultStand({
    environment: {
      gateway: limits,
      uploads: { ...limits, LONGEST_UPLOAD_MS: '10000', LEFTOVER_AGE_MS: '15000', SWEEP_INTERVAL_MS: '3000' },
    },
  })
}, 180_000)
afterAll(() => stand.stop(), 60_000)

/** A real clip of exactly this size. */
const videoOf = async (bytes: number): Promise<GuestFile> => {
  const clip = await sample('video.mp4')
  const filler = crypto.getRandomValues(Buffer.alloc(16))
  return fileOf('video.mp4', () => [clip, filler, Buffer.alloc(bytes - clip.length - filler.length)])
}

/** Sends a file without saying how long it is; what the guest is answered. */
const sendChunked = (eventId: string, credit: string, file: GuestFile): Promise<Answer> =>
  orHang(
    `${file.name} of ${credit}`,
    (signal) =>
      new Promise((resolve, reject) => {
        const started = performance.now()
        const form = formAround({ eventId, credit, name: file.name })
        const sending = request(`${stand.api}/api/uploads`, {
          method: 'POST',
          signal,
          headers: { 'Content-Type': form.contentType, 'Transfer-Encoding': 'chunked' },
        })
        sending.on('error', reject).on('response', (response) => {
          let text = ''
          response.on('data', (chunk: Buffer) => (text += chunk.toString()))
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              body: JSON.parse(text) as unknown,
              ms: performance.now() - started,
            }),
          )
        })
        sending.write(form.head)
        for (const chunk of file.chunks() as Iterable<Buffer>) sending.write(chunk)
        sending.end(form.end)
      }),
  )
interface Answer {
  status: number
  body: unknown
  ms: number
}

const expectNothingElse = async (eventId: string, count: number): Promise<void> => {
  await whenMemoryIsGivenBack(stand)
  expect(await listUploads(stand, eventId)).toHaveLength(count)
  await whenSwept(stand)
}

test('When a file has exactly the size that is allowed, then it is kept; with one byte more, it is refused', () =>
  play(stand, async ({ event, guest, ledger }) => {
    expect(await guest().send(await videoOf(MAX_FILE_BYTES))).toMatchObject({ status: 201 })
    expect(await guest().send(await videoOf(MAX_FILE_BYTES + 1))).toMatchObject(TOO_LARGE)
    await expectNothingElse(event._id, ledger.count())
  }))

test('When the phone does not say how long the form is, then the same holds', () =>
  play(stand, async ({ event, ledger, saw }) => {
    const credit = 'Table 1'
    const exact = await videoOf(MAX_FILE_BYTES)
    const { sha256, size, name: originalName } = exact
    const kept = await sendChunked(event._id, credit, exact)
    expect(kept.status).toBe(201)
    saw({ lost: false, ms: kept.ms, status: 201, code: '', message: '' })
    const [upload] = createUploads.responses[201].parse(kept.body).uploads
    ledger.record({ uploadId: upload?._id ?? '', eventId: event._id, credit, originalName, size, sha256 })
    const refused = await sendChunked(event._id, credit, await videoOf(MAX_FILE_BYTES + 1))
    const { code, message } = errorBody.parse(refused.body)
    saw({ lost: false, ms: refused.ms, status: refused.status, code, message })
    expect({ status: refused.status, message }).toEqual(TOO_LARGE)
    await expectNothingElse(event._id, ledger.count())
  }))

test('When a form says that it is longer than all its files may be together, then it is refused before it is sent', () =>
  play(stand, async ({ event, saw }) => {
    const file = { ...(await videoOf(MB)), size: 50 * MAX_FILE_BYTES + 2 * MB }
    const sender = await connectRawSender({ api: stand.api, eventId: event._id, credit: 'Table 1', file })
    const seen = await sender.answer()
    sender.cut()
    saw(seen)
    expect(seen).toMatchObject({
      status: 413,
      message: expect.stringContaining('at once. Please send fewer'),
    })
    await expectNothingElse(event._id, 0)
  }))

test('When all of that is over, then no fact waits and no letter is dead', async () => {
  expect(await leftOver(stand)).toEqual([])
}, 120_000)
