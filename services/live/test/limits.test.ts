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
import { afterEach, expect, test } from '@jest/globals'
import { completed } from './live-messages.ts'

let system: TestSystem | undefined
afterEach(() => system?.stop())

/** Starts a system with one event. */
const start = async (environment: Record<string, string>, auth: Record<string, string> = {}) => {
  const started = await startTestSystem({
    services: ['auth', 'events', 'live'],
    environment: { live: environment, auth },
  })
  system = started
  const admin = await newAdmin(started, started.url('auth'))
  const organiser = await newOrganiser(started.url('auth'))
  const event = await newEvent(started.url('events'), admin, organiser)
  return { system: started, live: started.url('live'), admin, organiser, event }
}

const countClosed = (started: TestSystem, reason: string) =>
  readCounter(started, 'live', 'live_streams_closed_total', { reason })

test('When there are as many streams as there may be, of an event or of all, then further ones get 503 with Retry-After', async () => {
  const {
    live,
    system: started,
    admin,
    organiser,
    event,
  } = await start({
    MAX_STREAMS: '3',
    MAX_STREAMS_PER_EVENT: '2',
  })
  const other = await newEvent(started.url('events'), admin, organiser)
  const open: LiveClient[] = []
  const followWithToken = (eventId: string) => followLiveOnce(live, eventId, { token: organiser.token })
  open.push(await followLive(live, event._id, { token: organiser.token }), await followWithToken(event._id))
  const beyondEvent = await followWithToken(event._id)
  open.push(await followWithToken(other._id))
  const beyondAll = await followWithToken(other._id)
  expect(open.map(({ status }) => status)).toEqual([200, 200, 200])
  for (const refused of [beyondEvent, beyondAll]) {
    expect(refused.status).toBe(503)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    await refused.closed
    expect(JSON.parse(refused.text())).toMatchObject({ code: 'unavailable' })
  }
  open[0]?.disconnect()
  await eventually(async () => (await readGauge(started, 'live', 'live_streams')) === 2)
  const next = await followWithToken(event._id)
  expect(next.status).toBe(200)
})

/** Publishes new uploads until `isEnough`. */
const flood = (to: TestSystem, { _id }: Event, isEnough: () => Promise<boolean>): Promise<boolean> =>
  eventually(async () => {
    await publishAll(
      to,
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
const startSilentClient = (url: string, { _id }: Event, { token }: Account): ChildProcess => {
  const { hostname, port } = new URL(url)
  const request = `GET /api/live/${_id} HTTP/1.1\r\nHost: live\r\nAuthorization: Bearer ${token}\r\n\r\n`
  return spawn('python3', ['-c', SILENT_CLIENT, hostname, port, request], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })
}

test('When a client does not read, then its stream is dropped, and the others continue', async () => {
  const { live, system: started, organiser, event } = await start({ MAX_BUFFERED_BYTES: '20000' })
  const reader = await followLive(live, event._id, { token: organiser.token })
  const silent = startSilentClient(live, event, organiser)
  await eventually(async () => (await readGauge(started, 'live', 'live_streams')) === 2)
  await flood(started, event, async () => (await countClosed(started, 'slow')) === 1)
  expect(await readGauge(started, 'live', 'live_streams')).toBe(1)
  expect(reader.isClosed()).toBe(false)
  silent.kill()
  reader.disconnect()
})

test('When an access token expires, then its stream ends soon', async () => {
  const {
    live,
    system: started,
    organiser,
    event,
  } = await start({ RECHECK_INTERVAL_MS: '200' }, { ACCESS_TOKEN_SECONDS: '30' })
  const client = await followLive(live, event._id, { token: organiser.token })
  expect(client.status).toBe(200)
  await client.closed
  expect(await countClosed(started, 'unauthorized')).toBe(1)
  const again = await followLiveOnce(live, event._id, { token: organiser.token })
  await again.closed
  expect([again.status, JSON.parse(again.text()).code]).toEqual([401, 'token_expired'])
})

test('When the service shuts down, then streams end with a delay for their return, and new ones get 503', async () => {
  const {
    live,
    system: started,
    organiser,
    event,
  } = await start({
    STREAM_DRAIN_MS: '1000',
    SHUTDOWN_DELAY_MS: '10000',
  })
  const clients = [await followLive(live, event._id, { token: organiser.token })]
  for (let n = 0; n < 5; n += 1)
    clients.push(await followLiveOnce(live, event._id, { token: organiser.token }))
  const [replica] = started.replicas('live')
  const stopping = replica?.stop()
  const refused = await eventually(async () => {
    const attempt = await followLiveOnce(live, event._id, { token: organiser.token })
    if (attempt.status === 200) attempt.disconnect()
    return attempt.status === 503 && attempt
  }, 'a refused stream')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  await Promise.all(clients.map(({ closed }) => closed))
  expect(await stopping).toBe(0)
  const delays = clients.map((client) => /retry: (\d+)/.exec(client.text())?.[1])
  expect(new Set(delays).size).toBeGreaterThan(1)
})
