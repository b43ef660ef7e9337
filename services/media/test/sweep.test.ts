import { blobNames } from '@confetti/contracts'
import { eventually, readSample } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import mongoose, { Types } from 'mongoose'
import { startHarness } from './harness.ts'

const DAY_MS = 24 * 3_600_000

let harness: Awaited<ReturnType<typeof startHarness>>
let connection: mongoose.Connection

beforeAll(async () => {
  harness = await startHarness({ SWEEP_INTERVAL_MS: '200' })
  connection = await mongoose.createConnection(harness.mongoUrl).asPromise()
})
afterAll(async () => {
  await connection.close()
  await harness.stop()
})

const uploadIdFrom = (time: number): string =>
  Types.ObjectId.createFromTime(Math.floor(time / 1_000)).toHexString()

test('When jobs have not changed for a week, then they are removed, and others stay', async () => {
  const longAgo = Date.now() - 8 * DAY_MS
  const lately = Date.now() - 6 * DAY_MS
  const jobs = [
    { name: 'done long ago', _id: uploadIdFrom(longAgo), state: 'done', changedAt: new Date(longAgo) },
    {
      name: 'deleted long ago',
      _id: uploadIdFrom(longAgo - 1_000),
      state: 'deleted',
      changedAt: new Date(longAgo),
    },
    {
      name: 'old, and deleted lately',
      _id: uploadIdFrom(longAgo - 3_000),
      state: 'deleted',
      changedAt: new Date(lately),
    },
    { name: 'done lately', _id: uploadIdFrom(lately), state: 'done', changedAt: new Date(lately) },
  ]
  await connection.collection<{ _id: string }>('jobs').insertMany(
    jobs.map((job) => ({
      ...job,
      attempts: 1,
      outbox: [],
      outboxPending: false,
      outboxVersion: 1,
      outboxLeaseUntil: new Date(0),
    })),
  )
  const names = async () =>
    (await connection.collection('jobs').find().toArray()).map(({ name }) => name as string)
  await eventually(async () => (await names()).length <= 2, 'the old jobs being removed')
  // A further sweep finds nothing.
  const sweeps = () => harness.sweeps().length
  const before = sweeps()
  await eventually(() => sweeps() > before + 1, 'another sweep')
  expect((await names()).toSorted()).toEqual(['done lately', 'old, and deleted lately'])
})

test('When the job of an upload disappears while it is processed, then the original stays, and it is processed again', async () => {
  const upload = await harness.upload(await readSample('iphone-13.heic'), 'image/heic')
  await harness.waitForDecoder()
  await connection.collection<{ _id: string }>('jobs').deleteOne({ _id: upload.uploadId })
  await harness.waitForOutcome(upload)
  expect(await harness.blobsOf(upload)).toContain(blobNames.original(upload.uploadId))
})
