import { publicRoutes, type Event } from '@confetti/contracts'
import { call, eventually, newEvent, sendDirect, sendFiles, uniquePhoto } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { checkErasure } from './check-erasure.ts'
import { startHarness, type Harness } from './harness.ts'

let harness: Harness

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.system.stop())

const photo = async () => ({ name: 'photo.jpg', bytes: await uniquePhoto() })
const send = async (event: Event): Promise<void> => {
  await sendFiles(harness.api, event._id, [await photo(), await photo()])
  await sendDirect(harness.api, event._id, await photo())
}

test('When an event is deleted, then the check finds nothing of it, and before that it does', async () => {
  const { api, admin, organiser } = harness
  const event = await newEvent(api, admin, organiser)
  await send(event)
  const before = await checkErasure(harness, event._id)
  expect(before.code).toBe(1)
  for (const trace of [
    /-events, events\//,
    /-uploads, events\//,
    /-uploads, uploads\//,
    /blob \w+\/original/,
  ])
    expect(before.output).toMatch(trace)

  await call(api, publicRoutes.deleteEvent, { token: admin.token, params: { eventId: event._id } })
  const after = await eventually(async () => {
    const result = await checkErasure(harness, event._id)
    return result.code === 0 && result
  }, 'the erasure')
  expect(after.output).toContain(`Nothing is left of ${event._id}.`)
  expect((await checkErasure(harness, harness.event._id)).code).toBe(1)
})
