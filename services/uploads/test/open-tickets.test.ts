import { createUploadTickets, MB, type Event } from '@confetti/contracts'
import {
  call,
  complete,
  eventually,
  newAdmin,
  newEvent,
  newOrganiser,
  putFile,
  readCounter,
  startTestSystem,
  uniquePhoto,
  type ApiResponse,
  type SendTicket,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

let system: TestSystem
let url: string
let event: Event

beforeAll(async () => {
  system = await startTestSystem({
    services: ['auth', 'events', 'uploads'],
    environment: { uploads: { MAX_OPEN_TICKETS: '3', MAX_OPEN_TICKET_MB: '20' } },
  })
  url = system.url('uploads')
  const admin = await newAdmin(system, system.url('auth'))
  event = await newEvent(system.url('events'), admin, await newOrganiser(system.url('auth')))
})
afterAll(() => system.stop())

const askFor = (guestId: string, ...sizes: number[]): Promise<ApiResponse> =>
  call(url, createUploadTickets, {
    // As the gateway sets it.
    headers: { 'X-Guest-Id': guestId },
    body: {
      eventId: event._id,
      photoCredit: 'Table 4',
      files: sizes.map((size) => ({ name: 'a.jpg', size })),
    },
  })

test('When a guest has too many open tickets, then they get no more, others do, and completing one frees its place once', async () => {
  const bytes = await uniquePhoto()
  const { body } = await askFor('first', bytes.length, bytes.length, bytes.length)
  const refused = await askFor('first', 1)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30'])
  expect((await askFor('second', 1)).status).toBe(201)

  const [ticket] = body.tickets as SendTicket[]
  if (!ticket) throw new Error('No ticket')
  await putFile(ticket.transfer, bytes)
  for (let times = 0; times < 3; times += 1) await complete(url, ticket)
  await eventually(async () => (await askFor('first', 1)).status === 201, 'the place being free')
  expect((await askFor('first', 1)).status).toBe(429)
  expect(
    await readCounter(system, 'uploads', 'uploads_files_total', { path: 'direct', result: 'stored' }),
  ).toBe(1)
})

test('When one call asks for more tickets than a guest may have open, then it gets none, and counts for nothing', async () => {
  expect((await askFor('fourth', 1, 1, 1, 1)).status).toBe(429)
  expect((await askFor('fourth', 1, 1, 1)).status).toBe(201)
})

test('When the open tickets of a guest are for too many megabytes, then they get no more', async () => {
  expect((await askFor('third', 11 * MB)).status).toBe(201)
  expect((await askFor('third', 11 * MB)).status).toBe(429)
})
