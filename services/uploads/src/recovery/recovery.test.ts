import { createHash } from 'node:crypto'
import { newUploadId } from '@confetti/blob-storage'
import { blobNames } from '@confetti/contracts'
import { createLogger } from '@confetti/service-kit'
import { createMemoryBlobStorage } from '@confetti/test-kit/memory-blobs'
import { expect, test } from '@jest/globals'
import { openMemoryUploads } from '../../test/memory-uploads.ts'
import { createBlobAccount } from '../storage/blob-account.ts'
import { createBlobStore } from '../storage/blob-store.ts'
import { createDirectBlobs } from '../storage/direct-blobs.ts'
import { createHighWaterMark } from '../storage/high-water-mark-store.ts'
import { createRecovery, type LostUpload } from './recovery.ts'

const EVENT = 'a'.repeat(24)
const PHOTO = Buffer.from([0xff, 0xd8, 0xff, 0xe0, ...Buffer.from('confetti')])
const backupAt = new Date('2026-06-12T21:00:00Z')
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const minutesLater = (minutes: number) => new Date(backupAt.getTime() + minutes * MINUTE_MS)

/** A database of nine o'clock, which was lost and restored two hours later. */
const openRestored = async () => {
  const lostAt = new Date(backupAt.getTime() + 2 * HOUR_MS)
  let now = lostAt.getTime()
  const clock = () => new Date(now)
  const { connection, model, uploads } = openMemoryUploads(clock)
  const storage = createMemoryBlobStorage({ now: clock })
  const logger = createLogger('test', 'silent')
  const account = createBlobAccount({
    service: storage.connect(),
    containerName: 'photos',
    publicUrl: undefined,
    linkSigner: storage.linkSigner,
    newCallDeadline: () => ({ abortSignal: new AbortController().signal }),
  })
  await account.container.createIfNotExists()
  const blobs = { ...createBlobStore(account, logger), ...createDirectBlobs(account, clock) }
  await blobs.replaceHighWaterMark(undefined, lostAt)
  const highWaterMark = createHighWaterMark(connection)
  await highWaterMark.replace(undefined, { at: backupAt })
  const config = {
    ORPHAN_AGE_MS: 36 * HOUR_MS,
    TICKET_LIFE_MS: 24 * HOUR_MS,
  }
  const recover = createRecovery({
    config: config as never,
    uploads,
    listEvents: () => Promise.resolve([{ _id: EVENT, save: 'copy', timeZone: 'Asia/Tokyo' }]),
    blobs,
    highWaterMark,
    clock,
    logger,
  })
  const idAt = (minutes: number) => newUploadId(EVENT, new Date(backupAt.getTime() + minutes * MINUTE_MS))
  /** Sends a photo, some minutes after the backup. */
  const put = async (minutes: number, photo = PHOTO): Promise<string> => {
    const id = idAt(minutes)
    await account.container.getBlockBlobClient(blobNames.original(id)).upload(photo, photo.length)
    return id
  }
  return {
    put,
    removeOriginal: (id: string) => account.container.getBlockBlobClient(blobNames.original(id)).delete(),
    model,
    pass: (ms: number) => {
      now += ms
    },
    /** The photo in the backup, with the given fields. Returns the id that its record has. */
    record: async (fields: object = {}): Promise<string> => {
      const _id = await put(-30)
      await uploads.add([
        {
          _id,
          eventId: EVENT,
          photoCredit: 'Table 4',
          originalName: 'photo.jpg',
          contentType: 'image/jpeg',
          size: PHOTO.length,
          sha256: createHash('sha256').update(PHOTO).digest('hex'),
          uploadedAt: backupAt,
          visibility: 'visible',
        },
      ])
      await model.updateOne({ _id }, { $set: fields })
      return _id
    },
    recover: async (since?: Date): Promise<Pick<LostUpload, 'uploadId' | 'outcome'>[]> => {
      const found: Pick<LostUpload, 'uploadId' | 'outcome'>[] = []
      for await (const { uploadId, outcome } of recover({ isWriting: true, since }))
        found.push({ uploadId, outcome })
      return found
    },
  }
}

test('When a photo is recovered whose event lets guests save copies, then its copy is asked for, and its time is on the clocks of the event', async () => {
  const { put, recover, model } = await openRestored()
  const uploadId = await put(10)
  expect(await recover()).toEqual([{ uploadId, outcome: 'recovered' }])
  expect(await model.findOne({ _id: uploadId }).lean()).toMatchObject({
    captureZone: 'Asia/Tokyo',
    copyDueAt: expect.any(Date),
  })
})

test('When a file was sent after the time in the container was last written, then it is recovered: for minutes at once, otherwise when no guest can complete it', async () => {
  const { put, recover, pass } = await openRestored()
  const soon = await put(2 * 60 + 1.5)
  const later = await put(2 * 60 + 20, Buffer.concat([PHOTO, PHOTO]))
  pass(HOUR_MS)
  expect(await recover()).toEqual([{ uploadId: soon, outcome: 'recovered' }])
  pass(24 * HOUR_MS)
  expect(await recover(backupAt)).toEqual([{ uploadId: later, outcome: 'recovered' }])
})

test('When a photo had been taken back before the database was lost, then it is listed again, also if the dump took minutes', async () => {
  const { record, recover, pass } = await openRestored()
  const uploadId = await record({
    deleted: true,
    deletedAt: minutesLater(3),
    deletionDueAt: minutesLater(3.5),
  })
  pass(MINUTE_MS)
  expect(await recover()).toEqual([{ uploadId, outcome: 'taken back' }])
})

const deletedAt = (minutes: number) => ({ deleted: true, deletedAt: minutesLater(minutes) })

test.each<[string, object | 'without bytes', LostUpload['outcome']]>([
  ['is there', {}, 'duplicate'],
  ['can be restored by its guest', { deleted: true, deletionDueAt: minutesLater(0) }, 'duplicate'],
  ['was deleted after it was sent again', deletedAt(11), 'duplicate'],
  ['was deleted before it was sent again', deletedAt(-10), 'recovered'],
  ['has these bytes only as a guest said', { isHashUnverified: true }, 'recovered'],
  ['was deleted after the backup, before it was sent again', 'without bytes', 'recovered'],
])('When a photo is sent again and an upload with its hash %s, then it counts as that', async (...row) => {
  const [, fields, outcome] = row
  const { put, record, removeOriginal, recover } = await openRestored()
  if (fields === 'without bytes') await removeOriginal(await record())
  else await record(fields)
  const uploadId = await put(10)
  expect((await recover()).find((each) => each.uploadId === uploadId)).toEqual({ uploadId, outcome })
})
