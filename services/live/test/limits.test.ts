import { spawn, type ChildProcess } from 'node:child_process'
import type { Event } from '@confetti/contracts'
import {
  eventually,
  followLive,
  followLiveOnce,
  newAdmin,
  newEvent,
  newOrganiser,
  publishAll,
  readCounter,
  readGauge,
  startTestSystem,
  type Account,
  type LiveClient,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { completed } from './live-messages.ts'

let clockAheadMs = 0
let system: TestSystem
let live: string
let admin: Account
let organiser: Account
let event: Event
beforeAll(async () => {
  system = await startTestSystem({
    services: ['auth', 'events', 'live'],
    clock: () => new Date(Date.now() + clockAheadMs),
    environment: {
      live: {
        MAX_STREAMS: '6',
        MAX_STREAMS_PER_EVENT: '5',
        MAX_BUFFERED_BYTES: '20000',
        RECHECK_INTERVAL_MS: '200',
        STREAM_DRAIN_MS: '1000',
        SHUTDOWN_DELAY_MS: '5000',
      },
    },
  })
  live = system.url('live')
  admin = await newAdmin(system, system.url('auth'))
  organiser = await newOrganiser(system.url('auth'))
  event = await newEvent(system.url('events'), admin, organiser)
})
afterAll(() => system.stop())

const follow = ({ _id }: Event, { token } = organiser) => followLiveOnce(live, _id, { token })
const openStreams = (count: number) =>
  eventually(async () => (await readGauge(system, 'live', 'live_streams')) === count, `${count} streams`)

const countClosed = (reason: string) => readCounter(system, 'live', 'live_streams_closed_total', { reason })

test('When there are as many streams as there may be, of an event or of all, then further ones get 503 with Retry-After', async () => {
  const other = await newEvent(system.url('events'), admin, organiser)
  const open: LiveClient[] = [await followLive(live, event._id, { token: organiser.token })]
  while (open.length < 5) open.push(await follow(event))
  const beyondEvent = await follow(event)
  open.push(await follow(other))
  const beyondAll = await follow(other)
  expect(open.map(({ status }) => status)).toEqual(open.map(() => 200))
  for (const refused of [beyondEvent, beyondAll]) {
    expect(refused.status).toBe(503)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    await refused.closed
    expect(JSON.parse(refused.text())).toMatchObject({ code: 'unavailable' })
  }
  open[0]?.disconnect()
  await openStreams(5)
  open.push(await follow(event))
  expect(open.at(-1)?.status).toBe(200)
  for (const client of open) client.disconnect()
  await openStreams(0)
})

/** Publishes new uploads until `isEnough`. */
const flood = ({ _id }: Event, isEnough: () => Promise<boolean>): Promise<boolean> =>
  eventually(async () => {
    await publishAll(
      system,
      Array.from({ length: 1_000 }, () => completed(_id)),
    )
    return isEnough()
  }, 'enough messages')

// Node cannot limit the buffers of the operating system, which take megabytes on a loopback interface.
const SILENT_CLIENT = `
import socket, sys
host, port, request = sys.argv[1:]
client = socket.socket()
client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
client.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
client.connect((host, int(port)))
client.sendall(request.encode())
sys.stdin.read()
`

/** Starts a client that sends its request and reads nothing. */
const startSilentClient = ({ _id }: Event, { token }: Account): ChildProcess => {
  const { hostname, port } = new URL(live)
  const request = `GET /api/live/${_id} HTTP/1.1\r\nHost: live\r\nAuthorization: Bearer ${token}\r\n\r\n`
  return spawn('python3', ['-c', SILENT_CLIENT, hostname, port, request], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })
}

test('When a client does not read, then its stream is dropped, and the others continue', async () => {
  const reader = await followLive(live, event._id, { token: organiser.token })
  const silent = startSilentClient(event, organiser)
  await openStreams(2)
  await flood(event, async () => (await countClosed('slow')) === 1)
  expect(await readGauge(system, 'live', 'live_streams')).toBe(1)
  expect(reader.isClosed()).toBe(false)
  silent.kill()
  reader.disconnect()
  await openStreams(0)
})

test('When an access token expires, then its stream ends soon', async () => {
  const client = await followLive(live, event._id, { token: organiser.token })
  expect(client.status).toBe(200)
  clockAheadMs += 15 * 60_000
  await client.closed
  expect(await countClosed('unauthorized')).toBe(1)
  const again = await follow(event)
  await again.closed
  expect([again.status, JSON.parse(again.text()).code]).toEqual([401, 'token_expired'])
})

// The last one: the service does not start again.
test('When the service shuts down, then streams end with a delay for their return, and new ones get 503', async () => {
  const account = await newAdmin(system, system.url('auth'))
  const clients = [await followLive(live, event._id, { token: account.token })]
  while (clients.length < 5) clients.push(await follow(event, account))
  const [replica] = system.replicas('live')
  const stopping = replica?.stop()
  const refused = await follow(event, account)
  expect(refused.status).toBe(503)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  await Promise.all(clients.map(({ closed }) => closed))
  expect(await stopping).toBe(0)
  const delays = clients.map((client) => /retry: (\d+)/.exec(client.text())?.[1])
  expect(new Set(delays).size).toBeGreaterThan(1)
})
