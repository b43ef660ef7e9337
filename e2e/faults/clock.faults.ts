import {
  contactAdmin,
  listMyEvents,
  listMyEventUploads,
  login,
  refresh,
  type RouteContract,
} from '@confetti/contracts'
import type { ServiceName } from '@confetti/launcher'
import { call, type ApiResponse } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startFaultHarness, type FaultHarness } from './fault-harness.ts'
import { newPhoto } from './guest-file.ts'
import { runScenario } from './run-scenario.ts'
import { createServiceClocks, type ServiceClocks } from './service-clocks.ts'
import { findUndeliveredMessages } from './undelivered-messages.ts'

const MINUTE_MS = 60_000

let clocks: ServiceClocks
let harness: FaultHarness

beforeAll(async () => {
  clocks = await createServiceClocks()
  harness = await startFaultHarness({ environment: clocks.environment })
}, 180_000)
afterAll(async () => {
  await harness.stop()
  await clocks.remove()
}, 60_000)

/** Signs in as the organiser. After a 401, a call refreshes the tokens once and is repeated, as on their page. */
const signIn = async () => {
  const { user, password } = harness.organiser
  const { body, status } = await call(harness.api, login, { body: { email: user.email, password } })
  expect(status).toBe(200)
  let tokens = body as { accessToken: string; refreshToken: string }
  const refreshTokens = async (): Promise<void> => {
    const refreshed = await call(harness.api, refresh, { body: { refreshToken: tokens.refreshToken } })
    expect(refreshed.status).toBe(200)
    tokens = refreshed.body as typeof tokens
  }
  return {
    refreshTokens,
    call: async (contract: RouteContract, input: Parameters<typeof call>[2] = {}): Promise<ApiResponse> => {
      const first = await call(harness.api, contract, { ...input, token: tokens.accessToken })
      if (first.status !== 401) return first
      await refreshTokens()
      return call(harness.api, contract, { ...input, token: tokens.accessToken })
    },
  }
}

// Written out, so that each scenario can be selected by its name.
const cases: { shift: string; service: ServiceName; minutes: number }[] = [
  { shift: 'auth is 10 minutes fast', service: 'auth', minutes: 10 },
  { shift: 'auth is 10 minutes slow', service: 'auth', minutes: -10 },
  { shift: 'events is 10 minutes fast', service: 'events', minutes: 10 },
  { shift: 'events is 10 minutes slow', service: 'events', minutes: -10 },
  { shift: 'uploads is 10 minutes fast', service: 'uploads', minutes: 10 },
  { shift: 'uploads is 10 minutes slow', service: 'uploads', minutes: -10 },
  { shift: 'contact is 10 minutes fast', service: 'contact', minutes: 10 },
  { shift: 'contact is 10 minutes slow', service: 'contact', minutes: -10 },
  { shift: 'media is 10 minutes fast', service: 'media', minutes: 10 },
  { shift: 'media is 10 minutes slow', service: 'media', minutes: -10 },
  { shift: 'gateway is 10 minutes fast', service: 'gateway', minutes: 10 },
  { shift: 'gateway is 10 minutes slow', service: 'gateway', minutes: -10 },
]

test.each(cases)(
  'When the clock of $shift, then guests and organisers do not notice',
  ({ service, minutes }) =>
    runScenario(harness, async ({ event, guest }) => {
      await clocks.shift(harness.system, service, minutes * MINUTE_MS)
      let session: Awaited<ReturnType<typeof signIn>>
      try {
        expect(await guest().send(await newPhoto())).toMatchObject({ status: 201 })
        session = await signIn()
        expect((await session.call(listMyEvents)).status).toBe(200)
        const list = await session.call(listMyEventUploads, { params: { eventId: event._id } })
        expect(list.status).toBe(200)
        expect((await fetch(list.body.uploads[0].url as string)).status).toBe(200)
        const contacted = await session.call(contactAdmin, {
          body: { subject: 'Stalls', message: 'One more day' },
        })
        expect(contacted.status).toBeLessThan(300)
        await session.refreshTokens()
        expect((await session.call(listMyEvents)).status).toBe(200)
      } finally {
        await clocks.shift(harness.system, service, 0)
      }
      // Tokens that were issued by the shifted clock are still valid.
      expect((await session.call(listMyEvents)).status).toBe(200)
      await session.refreshTokens()
      expect(await guest().send(await newPhoto())).toMatchObject({ status: 201 })
    }),
)

test('When all scenarios have ended, then no outbox is pending and no message is dead-lettered', async () => {
  expect(await findUndeliveredMessages(harness)).toEqual([])
}, 120_000)
