import type { Message } from '@confetti/messaging'
import { createLogger } from '@confetti/service-kit'
import { expect, test } from '@jest/globals'
import type { Deps } from '../deps.ts'
import { createEraseEvent } from './erase-event.ts'

const eventId = 'a'.repeat(24)
const MINUTE_MS = 60_000

/** An erasure of 20 uploads, of which each batch takes two minutes. */
const startErasure = () => {
  let now = 0
  let left = Array.from({ length: 20 }, (_, index) => String(index).padStart(24, '0'))
  const reported: string[] = []
  const deps = {
    eventCopies: { erase: () => Promise.resolve() },
    uploads: {
      listOfEvent: () => Promise.resolve(left.slice(0, 2)),
      hasWaiting: () => Promise.resolve(false),
      removeRecords: (ids: readonly string[]) => {
        now += 2 * MINUTE_MS
        left = left.filter((id) => !ids.includes(id))
        return Promise.resolve()
      },
    },
    eventTotals: { remove: () => Promise.resolve() },
    archives: { removeOfEvent: () => Promise.resolve() },
    ownLinks: { removeOfEvent: () => Promise.resolve() },
    blobs: { removeFiles: () => Promise.resolve(true) },
    lingeringLinks: { add: () => Promise.resolve() },
    publish: ({ type, data }: Message) => {
      if (type === 'event.erased.v1') reported.push((data as { eventId: string }).eventId)
      return Promise.resolve()
    },
    clock: () => new Date(now),
    stopping: AbortSignal.timeout(MINUTE_MS),
    logger: createLogger('test', 'silent'),
  }
  const eraseEvent = createEraseEvent(deps as unknown as Deps, () => Promise.resolve([]))
  return { eraseEvent, reported, left: () => left.length, now: () => now }
}

test('When an erasure takes long, then a run ends after some minutes, and the next one continues', async () => {
  const { eraseEvent, reported, left, now } = startErasure()
  await eraseEvent(eventId)
  expect([left(), reported]).toEqual([12, []])
  expect(now()).toBeLessThan(10 * MINUTE_MS)
  await eraseEvent(eventId)
  expect([left(), reported]).toEqual([4, []])
})
