import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import { errorBody, type Event } from '@confetti/contracts'
import {
  eventually,
  readGauge,
  newAdmin,
  newEvent,
  newOrganiser,
  startTestSystem,
  uniquePhoto,
  type TestSystem,
} from '@confetti/test-kit'
import { buildUploadForm } from '@confetti/test-kit/upload-form'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

// On a busy machine blob storage may take seconds to answer, in which no byte moves.
const WINDOW_MS = 8_000
const MAX_DURATION_MS = 28_000

let system: TestSystem
let event: Event

beforeAll(async () => {
  system = await startTestSystem({
    services: ['auth', 'events', 'uploads'],
    environment: {
      uploads: { IDLE_TIMEOUT_MS: String(WINDOW_MS), MAX_UPLOAD_DURATION_MS: String(MAX_DURATION_MS) },
    },
  })
  const admin = await newAdmin(system, system.url('auth'))
  event = await newEvent(system.url('events'), admin, await newOrganiser(system.url('auth')))
})
afterAll(() => system.stop(), 60_000)

const form = () => buildUploadForm({ eventId: event._id, credit: 'Table 1', name: 'a.jpg' })

const startForm = (length?: number) => {
  const { contentType, head } = form()
  const sending = request(`${system.url('uploads')}/api/uploads`, {
    method: 'POST',
    headers: { 'Content-Type': contentType, ...(length && { 'Content-Length': length }) },
  })
  const answer = once(sending, 'response').then(async ([response]) => ({
    status: (response as IncomingMessage).statusCode,
    body: JSON.parse(await text(response as IncomingMessage)) as unknown,
  }))
  sending.write(head)
  return { sending, answer }
}

/** Sends `size` bytes every 50 ms until the response arrives. */
const expectTooSlow = async (
  { sending, answer }: ReturnType<typeof startForm>,
  bytes: Buffer,
  size: number,
) => {
  const answeredSignal = new AbortController()
  const answered = answer.finally(() => answeredSignal.abort())
  for (let sent = 0; !answeredSignal.signal.aborted; sent += size) {
    sending.write(bytes.subarray(sent, sent + size))
    await sleep(50)
  }
  const { status, body } = await answered
  expect([status, errorBody.parse(body).code]).toEqual([408, 'too_slow'])
  await eventually(
    async () => (await readGauge(system, 'uploads', 'uploads_bytes_in_flight')) === 0,
    'its memory being released',
  )
  sending.destroy()
}

test('When an upload averages less than a kilobyte a second, then it gets 408 and releases its memory', async () => {
  await expectTooSlow(startForm(1_000_000), await uniquePhoto(), 20)
})

test('When an upload exceeds the maximum duration at a sufficient rate, then it gets 408 and releases its memory', async () => {
  const endless = Buffer.concat([await uniquePhoto(), Buffer.alloc(20_000_000)])
  await expectTooSlow(startForm(endless.length * 2), endless, 1_000)
})

test('When an upload takes several times as long at a sufficient rate, then it is stored', async () => {
  const { sending, answer } = startForm()
  const photo = await uniquePhoto()
  const startedAt = Date.now()
  // By the clock: on a busy machine a pause takes longer, and the whole must stay below the maximum duration.
  let sent = 0
  while (sent < photo.length) {
    await sleep(50)
    const share = Math.min(1, (Date.now() - startedAt) / (2.5 * WINDOW_MS))
    const next = Math.ceil(photo.length * share)
    sending.write(photo.subarray(sent, next))
    sent = next
  }
  sending.end(form().end)
  expect(await answer).toMatchObject({ status: 201 })
})
