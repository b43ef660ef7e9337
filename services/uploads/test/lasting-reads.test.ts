import { newUploadId } from '@confetti/blob-storage'
import { testBackends } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import mongoose, { type Connection } from 'mongoose'
import { createChangeUpload } from '../src/storage/change-upload.ts'
import { createSendingStore } from '../src/storage/sending-store.ts'
import { createUploadModel } from '../src/storage/upload-model.ts'
import { createUploadOwners } from '../src/storage/upload-owners.ts'
import type { NewUpload } from '../src/upload.ts'

const newId = (): string => new mongoose.Types.ObjectId().toHexString()

let connection: Connection
/** The read concerns of the queries for uploads by ids or contents, and their number. */
let levels: (string | undefined)[] = []

beforeAll(async () => {
  connection = mongoose.createConnection(`${testBackends().mongo}/${newId()}`, { monitorCommands: true })
  await connection.asPromise()
  connection.getClient().on('commandStarted', ({ commandName, command }) => {
    if (commandName === 'find' && command.filter.deleted === undefined)
      levels.push(command.readConcern?.level as string | undefined)
  })
})
afterAll(async () => {
  await connection.dropDatabase()
  await connection.close()
})

test('When something is acknowledged because it is there already, then it was read as what a failover cannot undo', async () => {
  const model = createUploadModel(connection)
  await model.createIndexes()
  const clock = () => new Date()
  const nothing = () => undefined
  const change = createChangeUpload(model, { wakeRelay: nothing, onChanged: nothing, clock })
  const store = createSendingStore(model, {
    processingTimeoutMs: 60_000,
    clock,
    publishLeased: nothing,
    ...createUploadOwners(model, { change, onDeleted: nothing }),
  })
  const eventId = newId()
  const upload: NewUpload = {
    _id: newUploadId(eventId, new Date()),
    eventId,
    photoCredit: 'Anna',
    originalName: 'photo.jpg',
    contentType: 'image/jpeg',
    size: 1,
    sha256: 'a'.repeat(64),
    uploadedAt: new Date(),
    visibility: 'visible',
  }
  await store.add([upload])
  const copy = { ...upload, _id: newUploadId(eventId, new Date()) }
  levels = []
  expect(await store.add([upload, copy])).toMatchObject([{ kind: 'repeated' }, { kind: 'duplicate' }])
  expect((await store.findAdded([upload._id])).size).toBe(1)
  expect(await store.findByHash(eventId, 'Anna', [upload.sha256])).toHaveLength(1)
  expect(levels.length).toBeGreaterThanOrEqual(4)
  expect(new Set(levels)).toEqual(new Set(['majority']))
})
