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
  let left = Array.from({ length: 20 }, (_, index) => String(index))
  const deleted: string[] = []
  const reported: string[] = []
  const deps = {
    eventCopies: { erase: () => Promise.resolve() },
    uploads: {
      listIdsOfEvent: () => Promise.resolve(left.slice(0, 2)),
      markAllDeleted: (_eventId: string, ids: readonly string[]) => {
        left = left.filter((id) => !ids.includes(id))
        return Promise.resolve(void deleted.push(...ids))
      },
      listDeletedIds: () => Promise.resolve({ published: deleted.slice(), waiting: 0 }),
      removeDeleted: () => {
        now += 2 * MINUTE_MS
        return Promise.resolve(void deleted.splice(0))
      },
    },
    archives: { removeOfEvent: () => Promise.resolve() },
    blobs: { removeFiles: () => Promise.resolve(true) },
    lingeringLinks: { add: () => Promise.resolve() },
    publish: ({ data }: Message<'uploads.erased.v1'>) => Promise.resolve(void reported.push(data.eventId)),
    clock: () => new Date(now),
    stopping: AbortSignal.timeout(MINUTE_MS),
    logger: createLogger('test', 'silent'),
  }
  const eraseEvent = createEraseEvent(deps as unknown as Deps, () => Promise.resolve(true))
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
