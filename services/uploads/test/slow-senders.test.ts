import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import { errorBody, type Event } from '@confetti/contracts'
import {
  eventually,
  newAdmin,
  newEvent,
  newOrganiser,
  startTestSystem,
  uniquePhoto,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

const WINDOW_MS = 2_000

let system: TestSystem
let event: Event

beforeAll(async () => {
  system = await startTestSystem({
    services: ['auth', 'events', 'uploads'],
    environment: { uploads: { IDLE_TIMEOUT_MS: String(WINDOW_MS) } },
  })
  const admin = await newAdmin(system, system.url('auth'))
  event = await newEvent(system.url('events'), admin, await newOrganiser(system.url('auth')))
}, 180_000)
afterAll(() => system.stop(), 60_000)

const startForm = (length?: number) => {
  const sending = request(`${system.url('uploads')}/api/uploads`, {
    method: 'POST',
    headers: {
      'Content-Type': 'multipart/form-data; boundary=x',
      ...(length && { 'Content-Length': length }),
    },
  })
  const answer = once(sending, 'response').then(async ([response]) => ({
    status: (response as IncomingMessage).statusCode,
    body: JSON.parse(await text(response as IncomingMessage)) as unknown,
  }))
  sending.write(
    `--x\r\nContent-Disposition: form-data; name="eventId"\r\n\r\n${event._id}` +
      '\r\n--x\r\nContent-Disposition: form-data; name="photoCredit"\r\n\r\nTable 1' +
      '\r\n--x\r\nContent-Disposition: form-data; name="media"; filename="a.jpg"\r\n\r\n',
  )
  return { sending, answer }
}

const held = async (): Promise<number> => {
  const metrics = await (await fetch(system.replicas('uploads')[0]?.metricsUrl ?? '')).text()
  return Number(/uploads_bytes_in_flight{[^}]*} (\d+)/.exec(metrics)?.[1])
}

test('When an upload comes at less than a kilobyte a second, then it is told so and holds nothing', async () => {
  const { sending, answer } = startForm(1_000_000)
  const photo = await uniquePhoto()
  const told = new AbortController()
  const answered = answer.finally(() => told.abort())
  for (let sent = 0; !told.signal.aborted; sent += 20) {
    sending.write(photo.subarray(sent, sent + 20))
    await sleep(50)
  }
  const { status, body } = await answered
  expect([status, errorBody.parse(body).code]).toEqual([408, 'too_slow'])
  await eventually(async () => (await held()) === 0, 'its memory being given back')
  sending.destroy()
})

test('When an upload takes several times as long but keeps the pace, then it is kept', async () => {
  const { sending, answer } = startForm()
  const photo = await uniquePhoto()
  const pieces = 3 * (WINDOW_MS / 50)
  const size = Math.ceil(photo.length / pieces)
  for (let sent = 0; sent < photo.length; sent += size) {
    sending.write(photo.subarray(sent, sent + size))
    await sleep(50)
  }
  sending.end('\r\n--x--\r\n')
  expect(await answer).toMatchObject({ status: 201 })
})
