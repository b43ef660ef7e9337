import {
  contactAdmin,
  listMyEvents,
  listMyEventUploads,
  login,
  refresh,
  type RouteContract,
} from '@confetti/contracts'
import type { ServiceName } from '@confetti/launcher'
import { call, type Reply } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { makeClocks, type Clocks } from './clocks.ts'
import { startFaultStand, type FaultStand } from './fault-stand.ts'
import { newPhoto } from './guest-file.ts'
import { leftOver } from './left-over.ts'
import { play } from './play.ts'

const MINUTES = 60_000

let clocks: Clocks
let stand: FaultStand

beforeAll(async () => {
  clocks = await makeClocks()
  stand = await startFaultStand({ environment: clocks.environment })
}, 180_000)
afterAll(async () => {
  await stand.stop()
  await clocks.remove()
}, 60_000)

/** An organiser's page: where its token is refused it gets a new one, once, and calls again. */
const openPage = async () => {
  const { user, password } = stand.organiser
  const { body, status } = await call(stand.api, login, { body: { email: user.email, password } })
  expect(status).toBe(200)
  let tokens = body as { accessToken: string; refreshToken: string }
  const renew = async (): Promise<void> => {
    const renewed = await call(stand.api, refresh, { body: { refreshToken: tokens.refreshToken } })
    expect(renewed.status).toBe(200)
    tokens = renewed.body as typeof tokens
  }
  return {
    renew,
    call: async (contract: RouteContract, input: Parameters<typeof call>[2] = {}): Promise<Reply> => {
      const first = await call(stand.api, contract, { ...input, token: tokens.accessToken })
      if (first.status !== 401) return first
      await renew()
      return call(stand.api, contract, { ...input, token: tokens.accessToken })
    },
  }
}

// Written out, so that each scenario can be asked for by its name.
const cases: { words: string; service: ServiceName; minutes: number }[] = [
  { words: 'auth is 10 minutes fast', service: 'auth', minutes: 10 },
  { words: 'auth is 10 minutes slow', service: 'auth', minutes: -10 },
  { words: 'events is 10 minutes fast', service: 'events', minutes: 10 },
  { words: 'events is 10 minutes slow', service: 'events', minutes: -10 },
  { words: 'uploads is 10 minutes fast', service: 'uploads', minutes: 10 },
  { words: 'uploads is 10 minutes slow', service: 'uploads', minutes: -10 },
  { words: 'contact is 10 minutes fast', service: 'contact', minutes: 10 },
  { words: 'contact is 10 minutes slow', service: 'contact', minutes: -10 },
  { words: 'media is 10 minutes fast', service: 'media', minutes: 10 },
  { words: 'media is 10 minutes slow', service: 'media', minutes: -10 },
  { words: 'gateway is 10 minutes fast', service: 'gateway', minutes: 10 },
  { words: 'gateway is 10 minutes slow', service: 'gateway', minutes: -10 },
]

test.each(cases)(
  'When the clock of $words, then guests and organisers do not notice',
  ({ service, minutes }) =>
    play(stand, async ({ event, guest }) => {
      await clocks.shift(stand.system, service, minutes * MINUTES)
      let page: Awaited<ReturnType<typeof openPage>>
      try {
        expect(await guest().send(await newPhoto())).toMatchObject({ status: 201 })
        page = await openPage()
        expect((await page.call(listMyEvents)).status).toBe(200)
        const list = await page.call(listMyEventUploads, { params: { eventId: event._id } })
        expect(list.status).toBe(200)
        expect((await fetch(list.body.uploads[0].url as string)).status).toBe(200)
        const written = await page.call(contactAdmin, {
          body: { subject: 'Stalls', message: 'One more day' },
        })
        expect(written.status).toBeLessThan(300)
        await page.renew()
        expect((await page.call(listMyEvents)).status).toBe(200)
      } finally {
        await clocks.shift(stand.system, service, 0)
      }
      // What was given out by the wrong clock is still good by the right one.
      expect((await page.call(listMyEvents)).status).toBe(200)
      await page.renew()
      expect(await guest().send(await newPhoto())).toMatchObject({ status: 201 })
    }),
)

test('When all of that is over, then no fact waits and no letter is dead', async () => {
  expect(await leftOver(stand)).toEqual([])
}, 120_000)
