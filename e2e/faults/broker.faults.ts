import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createEvent, listMyEvents } from '@confetti/contracts'
import { call, eventually, newEvent, newOrganiser, readCounter } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { listUploads } from '../harness.ts'
import { findDecoders, waitForDecoder } from './decoders.ts'
import { startFaultHarness, type FaultHarness } from './fault-harness.ts'
import { newPhoto, type GuestFile } from './guest-file.ts'
import { runScenario, type ScenarioContext } from './run-scenario.ts'
import type { SimulatedGuest } from './simulated-guest.ts'
import { findUndeliveredMessages } from './undelivered-messages.ts'

let harness: FaultHarness

// In front of the events service, as an ingress or a service mesh may be.
let hasBackend = true
const ingress = createServer((request, response) => {
  if (!hasBackend) {
    response.writeHead(404).end('default backend - 404')
    return
  }
  void fetch(new URL(request.url ?? '', harness.system.url('events'))).then(async (answer) =>
    response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text()),
  )
})

let brokerFolder: string

beforeAll(async () => {
  brokerFolder = await mkdtemp(join(tmpdir(), 'confetti-broker-'))
  await once(ingress.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(ingress.address() as AddressInfo).port}`
  harness = await startFaultHarness({
    ownBackends: ['rabbitmq'],
    dataDirs: { rabbitmq: brokerFolder },
    environment: {
      uploads: { EVENTS_URL: url },
      // The slower HEIC decoder gives a scenario time to interfere, and is stopped for longer than its time limit.
      media: { HEIF_DECODER: 'libheif-js', DECODE_TIMEOUT_MS: '600000' },
    },
  })
}, 180_000)
afterAll(async () => {
  await harness.stop()
  ingress.close()
  await rm(brokerFolder, { recursive: true, force: true })
}, 60_000)

// Less than the 10 s that a publish waits for its confirm, with a margin for a busy machine.
const UNAFFECTED_MS = 8_000

const broker = () => harness.backend('rabbitmq')

/** A guest whose uploads must be as fast as without a fault. */
const unaffectedGuest = ({ guest }: ScenarioContext, credit?: string, eventId?: string): SimulatedGuest =>
  guest(credit, { hangMs: UNAFFECTED_MS, ...(eventId && { eventId }) })

/** Sends photos, each of which must be stored at the first attempt. */
const sendPhotos = async (guest: SimulatedGuest, count: number): Promise<void> => {
  for (let n = 0; n < count; n += 1) expect(await guest.send(await newPhoto())).toMatchObject({ status: 201 })
}

/** Sends photos before, during and after `fault`. */
const sendDuring = async (context: ScenarioContext, fault: () => Promise<void>): Promise<void> => {
  const [steadyGuest, lateGuest] = [unaffectedGuest(context), unaffectedGuest(context)]
  await sendPhotos(steadyGuest, 2)
  const faultOver = new AbortController()
  const sendSteadily = async (): Promise<void> => {
    while (!faultOver.signal.aborted) {
      await sendPhotos(steadyGuest, 1)
      await sleep(500)
    }
  }
  const sending = sendSteadily()
  // Prevents an unhandled rejection if it fails while the fault lasts.
  sending.catch(() => undefined)
  try {
    await fault()
    await sendPhotos(lateGuest, 2)
  } finally {
    faultOver.abort()
  }
  await sending
}

/** Resolves when the uploads service has logged since line `from` that it has lost the broker. */
const waitForDisconnect = (from: number): Promise<unknown> =>
  eventually(
    () =>
      harness.system.log
        .slice(from)
        .some((line) => line.includes('broker disconnected') && line.includes('"uploads"')),
    'the uploads service noticing that the broker is unavailable',
  )

test('When the broker is stopped, then photos are acknowledged meanwhile and are ready after it has restarted', () =>
  runScenario(harness, (context) =>
    sendDuring(context, async () => {
      await broker().stop()
      await sendPhotos(unaffectedGuest(context), 3)
      await broker().start()
    }),
  ))

test('When the broker is killed, then photos are acknowledged meanwhile and are ready after it has restarted', () =>
  runScenario(harness, (context) =>
    sendDuring(context, async () => {
      broker().signal('SIGKILL')
      await sendPhotos(unaffectedGuest(context), 3)
      await broker().start()
    }),
  ))

test('When the broker is frozen and then killed, then messages that it has not confirmed are published again', () =>
  runScenario(harness, (context) =>
    sendDuring(context, async () => {
      broker().signal('SIGSTOP')
      await sendPhotos(unaffectedGuest(context), 3)
      broker().signal('SIGKILL')
      await broker().start()
    }),
  ))

test('When the broker is frozen for longer than its heartbeat, then photos are acknowledged meanwhile and are ready after it has resumed', () =>
  runScenario(harness, (context) =>
    sendDuring(context, async () => {
      const from = harness.system.log.length
      broker().signal('SIGSTOP')
      await sendPhotos(unaffectedGuest(context), 3)
      await waitForDisconnect(from)
      await sendPhotos(unaffectedGuest(context), 3)
      broker().signal('SIGCONT')
    }),
  ))

test('When the broker loses all of its data, then photos whose messages were lost are ready soon', () =>
  runScenario(harness, async (context) => {
    const published = () =>
      readCounter(harness.system, 'uploads', 'messaging_published_total', { type: 'upload.completed.v1' })
    const before = await published()
    const [worker] = harness.system.replicas('media')
    worker?.signal('SIGSTOP')
    try {
      await sendPhotos(unaffectedGuest(context), 15)
      await eventually(async () => (await published()) >= before + 15, 'the messages being published')
      await broker().stop()
      await rm(join(brokerFolder, 'rabbitmq', 'data'), { recursive: true })
      await broker().start()
    } finally {
      worker?.signal('SIGCONT')
    }
    await sendPhotos(unaffectedGuest(context), 1)
  }))

test('When an account is registered while the broker is down, then an event for it accepts photos, and its owner sees the event', () =>
  runScenario(harness, async (context) => {
    const { api, admin } = harness
    await broker().stop()
    const organiser = await newOrganiser(api)
    const today = new Date().toISOString().slice(0, 10)
    const created = await call(api, createEvent, {
      token: admin.token,
      body: {
        name: 'Late',
        description: 'd',
        startDate: today,
        endDate: today,
        eventFor: organiser.user._id,
      },
    })
    expect(created.status).toBe(201)
    const eventId = created.body.event._id as string
    expect(await unaffectedGuest(context, 'Early bird', eventId).send(await newPhoto())).toMatchObject({
      status: 201,
    })
    await broker().start()
    const listed = await call(api, listMyEvents, { token: organiser.token })
    expect(listed.body.events).toHaveLength(1)
    expect(listed.body.events[0].eventFor).toMatchObject({ email: organiser.user.email })
  }))

test('When the broker restarts while a file is being decoded, then no second decoder is started for it', () =>
  runScenario(harness, async ({ event, guest }) => {
    const [worker] = harness.system.replicas('media')
    if (!worker) throw new Error('No media worker is running')
    const slowPhoto = { ...(await newPhoto('iphone-13.heic')), name: 'slow.heic' }
    await guest().sendUntilStored(slowPhoto)
    const decoder = await waitForDecoder(worker, { contentType: 'image/heic' })
    process.kill(decoder, 'SIGSTOP')
    try {
      await broker().stop()
      await broker().start()
      // Its message follows the one that the broker delivers again.
      const later = await newPhoto()
      await guest().sendUntilStored(later)
      const statusOf = async ({ name }: GuestFile) =>
        (await listUploads(harness, event._id)).find(({ originalName }) => originalName === name)?.status
      await eventually(async () => (await statusOf(later)) === 'ready', 'the later photo being ready', 60_000)
      expect(await statusOf(slowPhoto)).toBe('processing')
      expect(await findDecoders(worker, { contentType: 'image/heic' })).toEqual([decoder])
    } finally {
      process.kill(decoder, 'SIGCONT')
    }
  }))

test('When an ingress without a backend answers 404 for a new event, then its guests get 503, and their photos are stored later', () =>
  runScenario(harness, async ({ guest }) => {
    await broker().stop()
    const event = await newEvent(harness.api, harness.admin, harness.organiser)
    const early = guest('Early bird', { eventId: event._id })
    const photo = await newPhoto()
    hasBackend = false
    try {
      expect(await early.send(photo)).toMatchObject({ status: 503 })
    } finally {
      hasBackend = true
      await broker().start()
    }
    await early.sendUntilStored(photo)
  }))

test('When all scenarios have ended, then no outbox is pending and no message is dead-lettered', async () => {
  expect(await findUndeliveredMessages(harness)).toEqual([])
}, 120_000)
