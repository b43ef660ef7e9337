import { deleteEvent, eraseUser, MB, type Event } from '@confetti/contracts'
import type { ServiceName } from '@confetti/launcher'
import {
  call,
  complete,
  eventually,
  newEvent,
  newOrganiser,
  newTicket,
  putFile,
  sendDirect,
  sendFiles,
  uniquePhoto,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { checkErasure } from '../check-erasure.ts'
import { startFaultHarness, type FaultHarness } from './fault-harness.ts'
import { newPhoto } from './guest-file.ts'
import { runScenario, type ScenarioContext } from './run-scenario.ts'
import { findUndeliveredMessages } from './undelivered-messages.ts'
import { listBlobNames } from './wait-for-cleanup.ts'

// Much longer than on a machine that has nothing else to do.
const ERASURE_TIMEOUT_MS = 120_000
const GUESTS = 50
/** So many in a row, and no replica knows the event. */
const REFUSALS = 5

let harness: FaultHarness
beforeAll(async () => {
  harness = await startFaultHarness({
    // Two of uploads: each knows of an event from a cache of its own.
    replicas: { uploads: 2 },
    environment: {
      events: { SWEEP_INTERVAL_MS: '1000', ERASURE_TIMEOUT_MS: '30000' },
      uploads: { SWEEP_INTERVAL_MS: '5000' },
    },
  })
}, 180_000)
afterAll(() => harness.stop(), 60_000)

const photo = async () => ({ name: 'photo.jpg', bytes: await uniquePhoto() })
const remove = async ({ _id }: Event): Promise<void> => {
  const { api, admin } = harness
  const { status } = await call(api, deleteEvent, { token: admin.token, params: { eventId: _id } })
  expect(status).toBe(200)
}

/** Whether nothing is left. Reports it if the events service counts the event as erased before. */
const isErased = async ({ _id }: Event, { reportViolation }: ScenarioContext): Promise<boolean> => {
  const { code, output } = await checkErasure(harness, _id)
  // The databases were read before the blobs.
  if (output.includes('blob ') && !output.includes(`${harness.system.namespace}-events, events/${_id}`))
    reportViolation({ kind: 'assertion', what: `an event counts as erased, and has\n${output}` })
  return code === 0
}
const waitForErasure = (event: Event, context: ScenarioContext) =>
  eventually(() => isErased(event, context), 'the erasure of the event', ERASURE_TIMEOUT_MS)

test('When an event is deleted while 50 guests send to it, then each gets a clear answer, and nothing is left', () =>
  runScenario(harness, async (context) => {
    const { guest, reportViolation } = context
    const { api, admin, organiser } = harness
    const doomed = await newEvent(api, admin, organiser)
    let stored = 0
    /** Continues after a refusal: another replica may still know the event. */
    const sendUntilRefused = async (): Promise<void> => {
      for (let refusals = 0; refusals < REFUSALS;) {
        const { status } = await sendFiles(api, doomed._id, [await photo()])
        refusals = status === 404 ? refusals + 1 : 0
        if (status === 201) stored += 1
        else if (status !== 404) {
          reportViolation({ kind: 'response', what: `a guest of the deleted event got ${status}` })
          return
        }
      }
    }
    const others = Promise.all(
      Array.from({ length: 5 }, async () => {
        for (let sent = 0; sent < 5; sent += 1) await guest().sendUntilStored(await newPhoto())
      }),
    )
    const guests = Promise.all(Array.from({ length: GUESTS }, sendUntilRefused))
    await eventually(() => stored >= GUESTS, 'a photo of each guest')
    const late = { name: 'late.jpg', bytes: await uniquePhoto() }
    const ticket = await newTicket(api, doomed._id, late)
    const large = { name: 'large.mp4', bytes: Buffer.alloc(12 * MB, 7) }
    const largeTicket = await newTicket(api, doomed._id, large)
    await remove(doomed)
    await guests
    await others
    await waitForErasure(doomed, context)

    // Links outlive the event.
    await putFile(ticket.transfer, late.bytes)
    await putFile(largeTicket.transfer, large.bytes)
    const { body } = await complete(api, ticket)
    if (body.rejected[0]?.code !== 'event_not_found')
      reportViolation({ kind: 'response', what: `a late completion got ${JSON.stringify(body)}` })
    // What was sent stays until the next sweep.
    await eventually(
      async () => (await checkErasure(harness, doomed._id)).code === 0,
      'the sweep of what was sent late',
      ERASURE_TIMEOUT_MS,
    )
  }))

/** Resolves when some of the blobs that were there are gone. */
const waitForFirstRemoval = async (before: readonly string[]): Promise<void> => {
  await eventually(async () => {
    const names = new Set(await listBlobNames(harness))
    return before.some((name) => !names.has(name))
  }, 'the first blob being removed')
}

test.each<[ServiceName, boolean]>([
  ['auth', false],
  ['events', false],
  ['uploads', true],
  ['media', true],
  ['notifications', false],
  ['live', false],
  ['gateway', false],
])('When %s is killed in the middle of an erasure, then it is completed after the restart', (name, waits) =>
  runScenario(harness, async (context) => {
    const { guest } = context
    const { api, admin, organiser, system } = harness
    const doomed = await newEvent(api, admin, organiser)
    for (let sent = 0; sent < 20; sent += 1) await sendFiles(api, doomed._id, [await photo()])
    await sendDirect(api, doomed._id, await photo())
    await guest().sendUntilStored(await newPhoto())
    const before = await listBlobNames(harness)
    await remove(doomed)
    if (waits) await waitForFirstRemoval(before)
    await Promise.all(system.replicas(name).map((replica) => replica.stop('SIGKILL')))
    await isErased(doomed, context)
    await Promise.all(system.replicas(name).map((replica) => replica.restart()))
    await guest().sendUntilStored(await newPhoto())
    await waitForErasure(doomed, context)
  }),
)

test.each<ServiceName>(['auth', 'events', 'uploads', 'contact', 'notifications', 'live'])(
  'When %s is killed while an account is erased, then nothing of it is left after the restart',
  (name) =>
    runScenario(harness, async (context) => {
      const { api, admin, system } = harness
      const { user } = await newOrganiser(api)
      await newEvent(api, admin, { ...harness.organiser, user })
      const { status } = await call(api, eraseUser, { token: admin.token, params: { userId: user._id } })
      expect(status).toBe(200)
      await Promise.all(system.replicas(name).map((replica) => replica.stop('SIGKILL')))
      await Promise.all(system.replicas(name).map((replica) => replica.restart()))
      await context.guest().sendUntilStored(await newPhoto())
      await eventually(
        async () => (await checkErasure(harness, user.email)).code === 0,
        'the erasure of the account',
        ERASURE_TIMEOUT_MS,
      )
    }),
)

test('When all scenarios have ended, then no outbox is pending and no message is dead-lettered', async () => {
  expect(await findUndeliveredMessages(harness)).toEqual([])
}, 120_000)
