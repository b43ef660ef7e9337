import { createHash, randomBytes } from 'node:crypto'
import { createWall, deleteWall, type Event } from '@confetti/contracts'
import {
  call,
  eventually,
  followLive,
  followLiveOnce,
  newAdmin,
  newEvent,
  newOrganiser,
  readCounter,
  readGauge,
  recordMessages,
  startTestSystem,
  type Account,
  type RecordedMessages,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { changed, completed, deleted, messageOf, newId } from './live-messages.ts'

let system: TestSystem
let recorded: RecordedMessages
let live: string
let admin: Account
let organiser: Account
let event: Event
beforeAll(async () => {
  system = await startTestSystem({
    services: ['auth', 'events', 'live'],
    environment: { live: { HEARTBEAT_INTERVAL_MS: '200', COUNTS_INTERVAL_MS: '300' } },
  })
  live = system.url('live')
  admin = await newAdmin(system, system.url('auth'))
  organiser = await newOrganiser(system.url('auth'))
  event = await newEvent(system.url('events'), admin, organiser)
  recorded = await recordMessages(system)
})
afterAll(async () => {
  await recorded.close()
  await system.stop()
})

let revision = 1_000
/** A change of the event, as the events service publishes it. */
const eventChange = (change: { organisers?: string[]; wallKeyHash?: string; pinHash?: string }) => {
  revision += 1
  return messageOf('event.changed.v1', {
    _id: event._id,
    eventFor: organiser.user._id,
    organisers: [organiser.user._id],
    uploadsCloseAt: event.uploadsCloseAt,
    revision,
    ...change,
  })
}

/** Gives the event a live wall, and returns its key. */
const openWall = async (): Promise<string> => {
  const key = randomBytes(32).toString('base64url')
  const probe = await followLive(live, event._id, { token: admin.token })
  const message = eventChange({ wallKeyHash: createHash('sha256').update(key).digest('hex') })
  await recorded.publish(message)
  await probe.waitFor('event.changed')
  probe.disconnect()
  return key
}

test('When a member follows an event, then the stream begins with reset and reports each upload', async () => {
  for (const { token } of [organiser, admin]) {
    const client = await followLive(live, event._id, { token })
    expect(client.status).toBe(200)
    expect(client.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    await client.waitFor('reset')
    expect(client.text()).toMatch(/^retry: \d+\n\nid: [0-9a-f]{12}-\d+\nevent: reset\ndata: \{\}\n\n/)
    const added = completed(event._id)
    const { uploadId } = added.data
    await recorded.publish(added)
    await client.waitFor('upload.added', uploadId)
    await recorded.publish(changed(event._id, uploadId, { visibility: 'pending' }))
    await client.waitFor('upload.hidden', uploadId)
    await recorded.publish(changed(event._id, uploadId))
    await client.waitFor('upload.ready', uploadId)
    await recorded.publish(deleted(event._id, uploadId))
    await client.waitFor('upload.removed', uploadId)
    client.disconnect()
  }
})

test('When uploads of an event change that nobody follows, then the replica does not receive it', async () => {
  const countReceived = () =>
    readCounter(system, 'live', 'live_messages_total', { type: 'upload.completed.v1' })
  const client = await followLive(live, event._id, { token: organiser.token })
  const before = await countReceived()
  await recorded.publish(completed(newId()))
  const last = completed(event._id)
  await recorded.publish(last)
  await client.waitFor('upload.added', last.data.uploadId)
  expect(client.events.filter(({ name }) => name === 'upload.added')).toHaveLength(1)
  expect(await countReceived()).toBe(before + 1)
  client.disconnect()
})

test('When a wall was closed before messages about its event arrive, then nobody follows it by its key', async () => {
  const events = system.url('events')
  const { _id: eventId } = await newEvent(events, admin, organiser)
  const request = { token: organiser.token, params: { eventId } }
  const { body } = await call(events, createWall, request)
  const [, wallKey = ''] = (body as { url: string }).url.split('#')
  const isFollowable = async (key: string) => {
    const client = await followLiveOnce(live, eventId, { wallKey: key })
    client.disconnect()
    return client.status === 200
  }
  // From now on the event is known for some seconds, but its messages do not arrive.
  expect(await isFollowable('a wrong key')).toBe(false)
  await call(events, deleteWall, request)
  expect(await isFollowable(wallKey)).toBe(false)
})

test('When somebody else follows an event, or it does not exist, then the response is 404', async () => {
  await openWall()
  const stranger = await newOrganiser(system.url('auth'))
  await followLive(live, event._id, { token: organiser.token }).then((client) => client.disconnect())
  const attempts = [
    [event._id, {}],
    [event._id, { token: 'nonsense' }],
    [event._id, { token: stranger.token }],
    [event._id, { wallKey: 'a wrong key' }],
    [event._id, { token: stranger.token, wallKey: 'a wrong key' }],
    [newId(), { token: admin.token }],
    ['nonsense', { token: admin.token }],
  ] as const
  for (const [eventId, options] of attempts) {
    const client = await followLiveOnce(live, eventId, options)
    expect(client.status).toBe(404)
    await client.closed
    expect(JSON.parse(client.text())).toMatchObject({ message: 'Event not found.' })
  }
})

test('When the live wall follows an event by its key, then it learns only of what guests see', async () => {
  const wallKey = await openWall()
  const wall = await followLive(live, event._id, { wallKey })
  expect(wall.status).toBe(200)
  const [hidden, visible] = [newId(), newId()]
  await recorded.publish(completed(event._id, visible))
  await recorded.publish(changed(event._id, hidden, { status: 'failed' }))
  await recorded.publish(changed(event._id, visible))
  await wall.waitFor('upload.ready', visible)
  await recorded.publish(changed(event._id, visible, { visibility: 'hidden' }))
  await wall.waitFor('upload.hidden', visible)
  await recorded.publish(deleted(event._id, visible))
  await wall.waitFor('upload.removed', visible)
  expect(wall.names()).toEqual(['reset', 'upload.ready', 'upload.hidden', 'upload.removed'])
  wall.disconnect()
})

test('When an event gets a PIN, then the streams of its live wall and its members go on, and the wall can begin another', async () => {
  const wallKey = await openWall()
  const followers = [
    await followLive(live, event._id, { wallKey }),
    await followLive(live, event._id, { token: organiser.token }),
  ]
  const wallKeyHash = createHash('sha256').update(wallKey).digest('hex')
  await recorded.publish(eventChange({ wallKeyHash, pinHash: 'a'.repeat(64) }))
  for (const follower of followers) await follower.waitFor('event.changed')
  followers.push(await followLive(live, event._id, { wallKey }))
  const uploadId = newId()
  await recorded.publish(changed(event._id, uploadId))
  for (const follower of followers) {
    await follower.waitFor('upload.ready', uploadId)
    expect(follower.isClosed()).toBe(false)
    follower.disconnect()
  }
})

test('When a guest takes an upload back and restores it, then everybody learns that it is gone, and that it is there again', async () => {
  const wallKey = await openWall()
  const followers = [
    await followLive(live, event._id, { wallKey }),
    await followLive(live, event._id, { token: organiser.token }),
  ]
  const uploadId = newId()
  await recorded.publish(changed(event._id, uploadId, { isTakenBack: true }))
  for (const follower of followers) await follower.waitFor('upload.removed', uploadId)
  await recorded.publish(changed(event._id, uploadId))
  for (const follower of followers) {
    await follower.waitFor('upload.ready', uploadId)
    follower.disconnect()
  }
})

test('When uploads arrive, then one event counts them after a while', async () => {
  // An event of its own: what earlier tests have sent may still wait to be counted.
  const { _id: eventId } = await newEvent(system.url('events'), admin, organiser)
  const client = await followLive(live, eventId, { token: organiser.token })
  const uploadIds = [newId(), newId(), newId()]
  for (const uploadId of uploadIds) await recorded.publish(completed(eventId, uploadId))
  await recorded.publish(changed(eventId, uploadIds[0] ?? ''))
  const sum = (field: 'added' | 'ready') =>
    client.events
      .filter(({ name }) => name === 'counts')
      .reduce((total, { data }) => total + ((data as Record<string, number>)[field] ?? 0), 0)
  await eventually(() => sum('added') === 3 && sum('ready') === 1, 'all uploads are counted')
  client.disconnect()
})

test('When a client resumes with the id of its last event, then it receives what it has missed, once', async () => {
  const first = await followLive(live, event._id, { token: organiser.token })
  const seen = completed(event._id)
  await recorded.publish(seen)
  const { id } = await first.waitFor('upload.added', seen.data.uploadId)
  first.disconnect()
  await first.closed
  const missed = [completed(event._id), completed(event._id), completed(event._id)]
  for (const message of [...missed, ...missed]) await recorded.publish(message)
  const second = await followLive(live, event._id, { token: organiser.token, lastEventId: id })
  for (const { data } of missed) await second.waitFor('upload.added', data.uploadId)
  const last = completed(event._id)
  await recorded.publish(last)
  await second.waitFor('upload.added', last.data.uploadId)
  const added = second.events.filter(({ name }) => name === 'upload.added')
  expect(added.map(({ data }) => (data as { uploadId: string }).uploadId)).toEqual(
    [...missed, last].map(({ data }) => data.uploadId),
  )
  expect(second.names()).not.toContain('reset')
  second.disconnect()
})

test.each(['nonsense', '0123456789ab-1', '', '-1'])(
  'When the id of the last event is unknown (%p), then the stream begins with reset',
  async (lastEventId) => {
    const client = await followLive(live, event._id, { token: organiser.token, lastEventId })
    await client.waitFor('reset')
    expect(client.names()[0]).toBe('reset')
    client.disconnect()
  },
)

test('When nothing happens, then heartbeats keep the stream open', async () => {
  const client = await followLive(live, event._id, { token: organiser.token })
  await eventually(() => client.text().split(': heartbeat\n\n').length > 3, 'three heartbeats')
  client.disconnect()
})

test('When HEAD is requested, then the response has the headers of the stream and ends', async () => {
  const client = await followLive(live, event._id, { token: organiser.token, method: 'HEAD' })
  await client.closed
  expect([client.status, client.text()]).toEqual([200, ''])
  const refused = await followLiveOnce(live, event._id, { method: 'HEAD' })
  expect(refused.status).toBe(404)
})

test('When a client disconnects, then its stream is gone and counted', async () => {
  await eventually(async () => (await readGauge(system, 'live', 'live_streams')) === 0, 'no open stream')
  const countClosed = () => readCounter(system, 'live', 'live_streams_closed_total', { reason: 'client' })
  const before = await countClosed()
  const client = await followLive(live, event._id, { token: organiser.token })
  await eventually(async () => (await readGauge(system, 'live', 'live_streams')) === 1, 'an open stream')
  client.disconnect()
  await eventually(async () => (await readGauge(system, 'live', 'live_streams')) === 0, 'no open stream')
  expect(await countClosed()).toBe(before + 1)
})

test('When an organiser is removed, the key of the wall is revoked or the event is deleted, then their streams end', async () => {
  const second = await newOrganiser(system.url('auth'))
  const wallKey = await openWall()
  const wallKeyHash = createHash('sha256').update(wallKey).digest('hex')
  const organisers = [organiser.user._id, second.user._id]
  const ofAdmin = await followLive(live, event._id, { token: admin.token })
  await recorded.publish(eventChange({ organisers, wallKeyHash }))
  await ofAdmin.waitFor('event.changed')
  const ofSecond = await followLive(live, event._id, { token: second.token })
  const ofWall = await followLive(live, event._id, { wallKey })
  expect([ofSecond.status, ofWall.status]).toEqual([200, 200])

  await recorded.publish(eventChange({ wallKeyHash }))
  await ofSecond.closed
  expect((await followLiveOnce(live, event._id, { token: second.token })).status).toBe(404)
  await ofWall.waitFor('event.changed')
  expect(ofWall.isClosed()).toBe(false)

  await recorded.publish(eventChange({}))
  await ofWall.closed
  expect((await followLiveOnce(live, event._id, { wallKey })).status).toBe(404)
  expect(ofAdmin.isClosed()).toBe(false)

  await recorded.publish(messageOf('event.deleted.v1', { _id: event._id }))
  await ofAdmin.closed
  expect((await followLiveOnce(live, event._id, { token: admin.token })).status).toBe(404)
  event = await newEvent(system.url('events'), admin, organiser)
})
