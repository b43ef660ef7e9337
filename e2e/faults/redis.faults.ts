import { listMyEvents, login } from '@confetti/contracts'
import { call, eventually } from '@confetti/test-kit'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { startFaultHarness, type FaultHarness } from './fault-harness.ts'
import { newPhoto } from './guest-file.ts'
import { freezeBackend, killBackend, restoreBackend, stopBackend } from './outages.ts'
import { runScenario } from './run-scenario.ts'
import { findUndeliveredMessages } from './undelivered-messages.ts'

const GUESTS = 20
// A call waits less than a second for Redis. The limit leaves a margin for a busy machine.
const HANG_MS = 15_000

let harness: FaultHarness

beforeAll(async () => {
  harness = await startFaultHarness({
    ownBackends: ['redis'],
    replicas: { gateway: 2 },
  })
}, 180_000)
afterEach(() => restoreBackend(harness.backend('redis')), 60_000)
afterAll(() => harness.stop(), 60_000)

const signInAndListEvents = async (): Promise<void> => {
  const { user, password } = harness.organiser
  const startedAt = performance.now()
  const session = await call(harness.api, login, { body: { email: user.email, password } })
  expect(session.status).toBe(200)
  const events = await call(harness.api, listMyEvents, { token: session.body.accessToken as string })
  expect(events.status).toBe(200)
  expect(performance.now() - startedAt).toBeLessThan(2 * HANG_MS)
}

test.each([
  { fault: 'is stopped', breakBackend: stopBackend },
  { fault: 'is killed', breakBackend: killBackend },
  { fault: 'is frozen', breakBackend: freezeBackend },
])('When Redis $fault, then uploads and sign-in still work', ({ breakBackend }) =>
  runScenario(harness, async ({ guest }) => {
    const guests = Array.from({ length: GUESTS }, () => guest(undefined, { hangMs: HANG_MS }))
    const sendOnePhotoEach = async (): Promise<void> => {
      const results = await Promise.all(guests.map(async ({ send }) => send(await newPhoto())))
      for (const result of results) expect(result).toMatchObject({ status: 201 })
    }
    await sendOnePhotoEach()
    const from = harness.system.log.length
    const waitForLog = (text: string) =>
      eventually(() => harness.system.log.slice(from).some((line) => line.includes(text)), text)
    await breakBackend(harness.backend('redis'))
    // The first calls run into the fault; later ones may be made when it is known.
    await Promise.all([sendOnePhotoEach(), signInAndListEvents()])
    for (let n = 0; n < 3; n += 1) await Promise.all([sendOnePhotoEach(), signInAndListEvents()])
    await waitForLog('redis disconnected')
    await restoreBackend(harness.backend('redis'))
    await waitForLog('redis reconnected')
    await Promise.all([sendOnePhotoEach(), signInAndListEvents()])
  }),
)

test('When all scenarios have ended, then no outbox is pending and no message is dead-lettered', async () => {
  expect(await findUndeliveredMessages(harness)).toEqual([])
}, 120_000)
