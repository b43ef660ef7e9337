import { newUploadId } from '@confetti/blob-storage'
import type { Message } from '@confetti/messaging'
import { createLogger } from '@confetti/service-kit'
import { expect, test } from '@jest/globals'
import { openMemoryUploads } from '../../test/memory-uploads.ts'
import type { Deps } from '../deps.ts'
import { createEraseEvent } from './erase-event.ts'

const eventId = 'a'.repeat(24)
const MINUTE_MS = 60_000

/** An erasure of these uploads. */
const startErasure = ({ uploads, blobs }: { uploads: unknown; blobs: unknown }, clock: () => Date) => {
  const reported: string[] = []
  const deps = {
    uploads,
    blobs,
    eventCopies: { erase: () => Promise.resolve() },
    eventTotals: { remove: () => Promise.resolve() },
    archives: { removeOfEvent: () => Promise.resolve() },
    ownLinks: { removeOfEvent: () => Promise.resolve() },
    lingeringLinks: { add: () => Promise.resolve() },
    publish: ({ type, data }: Message) => {
      if (type === 'event.erased.v1') reported.push((data as { eventId: string }).eventId)
      return Promise.resolve()
    },
    clock,
    stopping: AbortSignal.timeout(MINUTE_MS),
    logger: createLogger('test', 'silent'),
  }
  return { reported, eraseEvent: createEraseEvent(deps as unknown as Deps, () => Promise.resolve([])) }
}

test('When an event is erased, then what the record of each upload names is removed, of two at a time, and all of one from an earlier version', async () => {
  let now = Date.parse('2026-06-12T20:00:00Z')
  const clock = () => new Date((now += MINUTE_MS))
  const { model, uploads } = openMemoryUploads(clock)
  const add = async (fields: object, _id = newUploadId(eventId, new Date(now))): Promise<string> => {
    const file = { originalName: 'a.jpg', contentType: 'image/jpeg', size: 1, sha256: _id } as const
    const times = { uploadedAt: new Date(now), timeZone: 'Europe/Berlin', lastModified: now }
    await uploads.add([{ _id, eventId, photoCredit: 'Ann', visibility: 'visible', ...file, ...times }])
    await model.updateOne({ _id }, { $set: { outboxPending: false, ...fields } })
    return _id
  }
  const saved = { size: 1, crc32: 1 }
  const expected = new Map([
    [await add({}), 'original'],
    [await add({ status: 'failed' }), 'original'],
    [await add({ status: 'ready' }), 'original thumbnail preview'],
    [await add({ status: 'ready', copy: saved }), 'original thumbnail preview copy'],
    [await add({ status: 'ready', copy: saved, hasRendition: true }), 'original thumbnail preview rendition'],
    [await add({ status: 'ready' }, '6'.padEnd(24, '0')), 'all'],
  ])
  const removed = new Map<string, string>()
  let [running, mostRunning] = [0, 0]
  const remove = async (uploadId: string, files: readonly string[]): Promise<boolean> => {
    removed.set(uploadId, files.join(' '))
    running += 1
    mostRunning = Math.max(mostRunning, running)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    return true
  }
  const blobs = { removeFiles: remove, removeAll: (uploadId: string) => remove(uploadId, ['all']) }
  await startErasure({ uploads, blobs }, clock).eraseEvent(eventId)
  expect(removed).toEqual(expected)
  expect(mostRunning).toBe(2)
  expect(await model.countDocuments()).toBe(0)
})

test('When an erasure takes long, then a run ends after some minutes, and the next one continues', async () => {
  let now = 0
  let left = Array.from({ length: 20 }, (_, index) => String(index).padStart(24, '0'))
  const uploads = {
    listOfEvent: () => Promise.resolve(new Map(left.slice(0, 2).map((id) => [id, []]))),
    hasWaiting: () => Promise.resolve(false),
    removeRecords: (ids: readonly string[]) => {
      now += 2 * MINUTE_MS
      left = left.filter((id) => !ids.includes(id))
      return Promise.resolve()
    },
  }
  const blobs = { removeAll: () => Promise.resolve(true) }
  const { eraseEvent, reported } = startErasure({ uploads, blobs }, () => new Date(now))
  await eraseEvent(eventId)
  expect([left.length, reported]).toEqual([12, []])
  expect(now).toBeLessThan(10 * MINUTE_MS)
  await eraseEvent(eventId)
  expect([left.length, reported]).toEqual([4, []])
})
