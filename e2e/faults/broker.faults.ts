import { setTimeout as sleep } from 'node:timers/promises'
import { createEvent, listMyEvents } from '@confetti/contracts'
import { call, eventually, newOrganiser } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startFaultStand, type FaultStand } from './fault-stand.ts'
import { newPhoto } from './guest-file.ts'
import { leftOver } from './left-over.ts'
import { play, type Scene } from './play.ts'
import type { WatchedGuest } from './watched-guest.ts'

let stand: FaultStand

beforeAll(async () => {
  stand = await startFaultStand({ own: ['rabbitmq'] })
}, 180_000)
afterAll(() => stand.stop(), 60_000)

// A blink, on a busy machine: sooner than the broker is given up that a fact was sent to.
const NOTHING_SEEN_MS = 8_000

const broker = () => stand.backend('rabbitmq')

/** Who is not to notice anything. */
const calmGuest = ({ guest }: Scene, credit?: string, eventId?: string): WatchedGuest =>
  guest(credit, { hangMs: NOTHING_SEEN_MS, ...(eventId && { eventId }) })

/** Each photo is acknowledged the first time: what the broker does is nothing to a guest. */
const sends = async (guest: WatchedGuest, photos: number): Promise<void> => {
  for (let n = 0; n < photos; n += 1)
    expect(await guest.send(await newPhoto())).toMatchObject({ status: 201 })
}

/** Guests who send for as long as `fault` lasts, and before and after it. */
const sendDuring = async (scene: Scene, fault: () => Promise<void>): Promise<void> => {
  const [steady, other] = [calmGuest(scene), calmGuest(scene)]
  await sends(steady, 2)
  const over = new AbortController()
  const sendOn = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await sends(steady, 1)
      await sleep(500)
    }
  }
  const sending = sendOn()
  // Watched from the start: it may fail while the fault still lasts.
  sending.catch(() => undefined)
  try {
    await fault()
    await sends(other, 2)
  } finally {
    over.abort()
  }
  await sending
}

const nobodyIsReachedBy = (from: number): Promise<unknown> =>
  eventually(
    () =>
      stand.system.log.slice(from).some((line) => line.includes('broker away') && line.includes('"uploads"')),
    'uploads seeing that the broker is away',
  )

test('When the broker is stopped, then photos are acknowledged all the while and are ready once it is back', () =>
  play(stand, (scene) =>
    sendDuring(scene, async () => {
      await broker().stop()
      await sends(calmGuest(scene), 3)
      await broker().start()
    }),
  ))

test('When the broker is killed, then photos are acknowledged all the while and are ready once it is back', () =>
  play(stand, (scene) =>
    sendDuring(scene, async () => {
      broker().signal('SIGKILL')
      await sends(calmGuest(scene), 3)
      await broker().start()
    }),
  ))

test('When the broker is killed while it is frozen, then what was told to it meanwhile is told again', () =>
  play(stand, (scene) =>
    sendDuring(scene, async () => {
      broker().signal('SIGSTOP')
      await sends(calmGuest(scene), 3)
      broker().signal('SIGKILL')
      await broker().start()
    }),
  ))

test('When the broker is frozen for longer than its heartbeat, then photos are acknowledged all the while and are ready once it goes on', () =>
  play(stand, (scene) =>
    sendDuring(scene, async () => {
      const from = stand.system.log.length
      broker().signal('SIGSTOP')
      await sends(calmGuest(scene), 3)
      await nobodyIsReachedBy(from)
      await sends(calmGuest(scene), 3)
      broker().signal('SIGCONT')
    }),
  ))

test('When somebody registers while the broker is away, then an event for them takes photos, and they see it', () =>
  play(stand, async (scene) => {
    const { api, admin } = stand
    await broker().stop()
    const organiser = await newOrganiser(api)
    const today = new Date().toISOString().slice(0, 10)
    const made = await call(api, createEvent, {
      token: admin.token,
      body: {
        name: 'Late',
        description: 'd',
        startDate: today,
        endDate: today,
        eventFor: organiser.user._id,
      },
    })
    expect(made.status).toBe(201)
    const eventId = made.body.event._id as string
    expect(await calmGuest(scene, 'Early bird', eventId).send(await newPhoto())).toMatchObject({
      status: 201,
    })
    await broker().start()
    const mine = await call(api, listMyEvents, { token: organiser.token })
    expect(mine.body.events).toHaveLength(1)
    expect(mine.body.events[0].eventFor).toMatchObject({ email: organiser.user.email })
  }))

test('When all of that is over, then no fact waits and no letter is dead', async () => {
  expect(await leftOver(stand)).toEqual([])
}, 120_000)
