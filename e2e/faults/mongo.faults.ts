import { getEvent, login } from '@confetti/contracts'
import { call, eventually } from '@confetti/test-kit'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { startFaultHarness, type FaultHarness } from './fault-harness.ts'
import { newPhoto } from './guest-file.ts'
import { freezeBackend, killBackend, restoreBackend, stopBackend } from './outages.ts'
import { runScenario, type ScenarioContext } from './run-scenario.ts'
import { findUndeliveredMessages } from './undelivered-messages.ts'
import { waitForMemoryRelease } from './wait-for-cleanup.ts'

// More than a service has connections to its database.
const GUESTS = 30
const PHOTOS_PER_GUEST = 4
// Less than the minute after which the gateway would respond instead of the service.
const RESPONSE_TIMEOUT_MS = 45_000

let harness: FaultHarness

beforeAll(async () => {
  harness = await startFaultHarness({ ownBackends: ['mongo'] })
}, 180_000)
afterEach(() => restoreBackend(harness.backend('mongo')), 60_000)
afterAll(() => harness.stop(), 60_000)

/** Guests who have sent one photo each, and have another one to send during the outage. */
const prepareGuests = async ({ guest }: ScenarioContext) => {
  const guests = await Promise.all(
    Array.from({ length: GUESTS }, async () => ({
      ...guest(undefined, { hangMs: RESPONSE_TIMEOUT_MS }),
      file: await newPhoto(),
    })),
  )
  await Promise.all(guests.map(async ({ sendUntilStored }) => sendUntilStored(await newPhoto())))
  return {
    expectBusy: async (): Promise<void> => {
      const results = await Promise.all(guests.map(({ send, file }) => send(file)))
      for (const result of results)
        expect(result).toMatchObject({ status: 503, retryAfter: expect.any(Number) })
      await waitForMemoryRelease(harness)
    },
    sendUntilStored: () => Promise.all(guests.map(({ sendUntilStored, file }) => sendUntilStored(file))),
  }
}

/** Expects that opening an event and signing in get 503 with Retry-After. */
const expectOtherCallsBusy = async (eventId: string): Promise<void> => {
  const { user, password } = harness.organiser
  const responses = await Promise.all([
    call(harness.api, getEvent, { params: { eventId } }),
    call(harness.api, login, { body: { email: user.email, password } }),
  ])
  for (const { status, headers } of responses) {
    expect(status).toBe(503)
    expect(headers.get('retry-after')).not.toBeNull()
  }
}

test.each([
  { fault: 'is stopped', breakBackend: stopBackend },
  { fault: 'is killed', breakBackend: killBackend },
  { fault: 'is frozen', breakBackend: freezeBackend },
])(
  'When MongoDB $fault, then calls get 503 with Retry-After, and succeed when it is available again',
  ({ breakBackend }) =>
    runScenario(harness, async (context) => {
      const guests = await prepareGuests(context)
      await breakBackend(harness.backend('mongo'))
      await Promise.all([guests.expectBusy(), expectOtherCallsBusy(context.event._id)])
      await restoreBackend(harness.backend('mongo'))
      await guests.sendUntilStored()
    }),
)

test('When MongoDB is killed several times while guests upload, then every acknowledged upload is stored', () =>
  runScenario(harness, async ({ guest, uploadLog }) => {
    const sending = Promise.all(
      Array.from({ length: GUESTS }, async () => {
        const { sendUntilStored } = guest()
        for (let n = 0; n < PHOTOS_PER_GUEST; n += 1) await sendUntilStored(await newPhoto())
      }),
    )
    for (const share of [0.2, 0.4, 0.6]) {
      const isReached = () => uploadLog.acknowledgedCount() > share * GUESTS * PHOTOS_PER_GUEST
      await Promise.race([sending, eventually(isReached, 'the next photos being acknowledged', 120_000)])
      await killBackend(harness.backend('mongo'))
      await restoreBackend(harness.backend('mongo'))
    }
    await sending
  }))

test('When all scenarios have ended, then no outbox is pending and no message is dead-lettered', async () => {
  expect(await findUndeliveredMessages(harness)).toEqual([])
}, 120_000)
