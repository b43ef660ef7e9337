import { newUploadId } from '@confetti/blob-storage'
import { createLogger } from '@confetti/service-kit'
import { createMemoryDatabase } from '@confetti/test-kit/memory-database'
import { expect, test } from '@jest/globals'
import type { Deps } from '../deps.ts'
import { openStores, createUploadStore } from '../storage/open-stores.ts'
import { createDeleteTakenBack } from './delete-taken-back.ts'

const DAY_MS = 24 * 3_600_000
const eventId = 'a'.repeat(24)

/** Uploads in a database in memory, and what is counted of them. */
const openUploads = async () => {
  let time = Date.parse('2026-06-12T20:00:00Z')
  const clock = (): Date => new Date(time)
  const { uploadModel } = await openStores(createMemoryDatabase().connect(), {
    config: { MAX_CACHED_EVENTS: 10 },
    clock,
  })
  const freed: number[] = []
  const relay = { wakeRelay: () => undefined, publishLeased: () => undefined }
  const uploads = createUploadStore(uploadModel, relay, {
    config: { PROCESSING_TIMEOUT_MS: DAY_MS },
    clock,
    eventTotals: { add: (_, { bytes }) => void freed.push(bytes) },
    onChanged: () => undefined,
  })
  const deleteTakenBack = (
    store: Pick<Deps['uploads'], 'listDeletionsDue' | 'deleteTakenBack'> = uploads,
    isRestored = false,
  ) =>
    createDeleteTakenBack(
      {
        uploads: store as Deps['uploads'],
        stopping: new AbortController().signal,
        clock,
        logger: createLogger('test', 'silent'),
      },
      { isRestored: () => Promise.resolve(isRestored) },
    )()
  return {
    uploads,
    freed,
    deleteTakenBack,
    pass: (ms: number) => {
      time += ms
    },
    /** Stores a photo of a guest, who takes it back. Returns its id. */
    takeBack: async (size: number): Promise<string> => {
      const _id = newUploadId(eventId, clock())
      const file = {
        originalName: `${size}.jpg`,
        contentType: 'image/jpeg',
        size,
        sha256: String(size),
      } as const
      const times = { uploadedAt: clock(), timeZone: 'Europe/Berlin', lastModified: time }
      await uploads.add([
        { _id, eventId, photoCredit: 'Anna', visibility: 'visible', guestId: 'anna', ...file, ...times },
      ])
      expect(await uploads.takeBack(_id, 'anna', clock())).toBe(true)
      return _id
    },
    read: (id: string) => uploadModel.findById(id).lean(),
  }
}

test('When two replicas delete what was taken back, then each is deleted once, not before it cannot be restored', async () => {
  const { freed, deleteTakenBack, pass, takeBack, read } = await openUploads()
  const id = await takeBack(7)
  pass(29_999)
  await deleteTakenBack()
  expect(freed).toEqual([])
  pass(1)
  await Promise.all([deleteTakenBack(), deleteTakenBack()])
  await deleteTakenBack()
  expect(freed).toEqual([-7])
  const record = await read(id)
  expect(record).toMatchObject({ deleted: true, contentKey: `deleted/${id}` })
  expect(record?.outbox.filter(({ type }) => type === 'upload.deleted.v1')).toHaveLength(1)
})

test('When one cannot be deleted, then the others are, and it is tried again', async () => {
  const { uploads, freed, deleteTakenBack, pass, takeBack } = await openUploads()
  const stuck = await takeBack(1)
  await takeBack(2)
  await takeBack(3)
  pass(30_000)
  const failing = {
    ...uploads,
    deleteTakenBack: (id: string, now: Date) =>
      id === stuck ? Promise.reject(new Error('Not this one.')) : uploads.deleteTakenBack(id, now),
  }
  await expect(deleteTakenBack(failing)).rejects.toThrow('some uploads that were taken back were not deleted')
  expect(freed).toEqual([-2, -3])
  await deleteTakenBack()
  expect(freed).toEqual([-2, -3, -1])
})

test('When the database was restored from a backup, then nothing is deleted, as its guest may have restored it since', async () => {
  const { uploads, freed, deleteTakenBack, pass, takeBack } = await openUploads()
  await takeBack(1)
  pass(30_000)
  await deleteTakenBack(uploads, true)
  expect(freed).toEqual([])
  await deleteTakenBack()
  expect(freed).toEqual([-1])
})

test('When no replica was there for days, then the sweep keeps the record until the media worker has been told', async () => {
  const { uploads, deleteTakenBack, pass, takeBack, read } = await openUploads()
  const id = await takeBack(1)
  pass(3 * DAY_MS)
  expect(await uploads.listDeleted(new Date('2026-07-01'), 10)).toEqual([])
  expect(await uploads.restore(id, 'anna', new Date('2026-06-15T20:00:00Z'))).toBeUndefined()
  await deleteTakenBack()
  expect((await read(id))?.deletedAt?.toISOString()).toBe('2026-06-15T20:00:00.000Z')
})

test('When the time zone of an event changes, then what was taken back has it when it is restored', async () => {
  const { uploads, takeBack, read } = await openUploads()
  const id = await takeBack(1)
  expect(await uploads.refreshCaptures(eventId, 'Asia/Tokyo')).toBe(1)
  expect(await read(id)).toMatchObject({ captureZone: 'Asia/Tokyo', deleted: true })
})
