import type { EventCopy } from '@confetti/contracts'
import { createEventCopyModel, createLogger, isUnavailable } from '@confetti/service-kit'
import { expect, test } from '@jest/globals'
import { Types } from 'mongoose'
import { openMemoryUploads } from '../../test/memory-uploads.ts'
import type { Deps } from '../deps.ts'
import { createEventStore } from '../storage/event-store.ts'
import { createOverdue } from './overdue.ts'

test('When another replica replaces lost messages, then nothing is done, and the message is delayed without an attempt', async () => {
  const calls: string[] = []
  const record = (name: string) => () => {
    calls.push(name)
    return Promise.resolve() as Promise<never>
  }
  const uploads = new Proxy(
    {},
    {
      get: (_, name) => record(String(name)),
    },
  )
  const { replaceLostMessages } = createOverdue({
    config: { PROCESSING_TIMEOUT_MS: 1 },
    uploads,
    runAlone: () => Promise.resolve(false),
    clock: () => new Date(),
    metrics: { abandoned: () => undefined },
    logger: createLogger('test', 'fatal'),
  } as unknown as Deps)
  const error: unknown = await replaceLostMessages(new Date()).catch((thrown: unknown) => thrown)
  expect(isUnavailable(error)).toBe(true)
  expect(calls).toEqual([])
})

test.each(['requestProcessing', 'requestRenditions'] as const)(
  'When %s fails for the first uploads, then the others are requested, however many there are, and the task fails',
  async (task) => {
    const uploads = Array.from({ length: 1_200 }, (_, n) => ({ _id: String(n), timesRequested: 0 }))
    const overdue = new Map(uploads.map((upload) => [upload._id, upload]))
    const request = (upload: { _id: string }): Promise<void> => {
      if (Number(upload._id) < 600) return Promise.reject(new Error('no'))
      overdue.delete(upload._id)
      return Promise.resolve()
    }
    const list = (_: Date, limit: number) => Promise.resolve([...overdue.values()].slice(0, limit))
    const tasks = createOverdue({
      config: { PROCESSING_TIMEOUT_MS: 1, MAX_RENDITION_SECONDS: 1 },
      uploads: {
        listRefused: () => Promise.resolve([]),
        listOverdue: list,
        listOverdueRenditions: list,
        requestProcessing: request,
        requestRendition: request,
      },
      stopping: new AbortController().signal,
      clock: () => new Date(),
      logger: createLogger('test', 'fatal'),
    } as unknown as Deps)
    await expect(tasks[task]()).rejects.toThrow('some uploads were not requested again')
    expect(overdue.size).toBe(600)
  },
)

const EVENT = 'e'.repeat(24)
const MINUTE_MS = 60_000

/** An event that lets guests save copies, with a photo that was sent before, and the sweep's task. */
const openCopies = async () => {
  let time = Date.parse('2026-06-12T20:00:00Z')
  const clock = () => new Date(time)
  const { connection, model, uploads } = openMemoryUploads(clock, { processingTimeoutMs: 15 * MINUTE_MS })
  const eventCopies = createEventStore(
    createEventCopyModel(connection, { captures: Object, copies: Object }),
    {
      maxCached: 1,
      erasedIds: { has: () => Promise.resolve(false) } as unknown as Deps['erasedIds'],
      clock,
    },
  )
  await eventCopies.save({ _id: EVENT, revision: 1, save: 'copy' } as EventCopy)
  const uploadId = new Types.ObjectId().toHexString()
  const photo = {
    _id: uploadId,
    eventId: EVENT,
    photoCredit: 'Table 4',
    originalName: 'photo.jpg',
    contentType: 'image/jpeg' as const,
    size: 1,
    sha256: 'a'.repeat(64),
    uploadedAt: clock(),
    visibility: 'visible' as const,
  }
  await uploads.add([photo])
  const { requestCopies } = createOverdue({
    config: { PROCESSING_TIMEOUT_MS: 15 * MINUTE_MS, MAX_RENDITION_SECONDS: 1 },
    uploads,
    eventCopies,
    stopping: new AbortController().signal,
    clock,
    metrics: { copy: () => undefined },
    logger: createLogger('test', 'fatal'),
  } as unknown as Deps)
  return {
    uploads,
    uploadId,
    eventCopies,
    model,
    sweep: async (): Promise<number> => {
      time += 10 * MINUTE_MS
      return requestCopies()
    },
  }
}

test('When copies of one event cannot be looked for, then those of others are requested, and the task fails', async () => {
  const { sweep, uploads, uploadId, eventCopies } = await openCopies()
  await uploads.markReady({ uploadId, ...processed })
  const broken = 'a'.repeat(24)
  eventCopies.listWithMissingCopies = () => Promise.resolve([{ _id: broken }, { _id: EVENT }])
  const { markCopiesDue } = uploads
  uploads.markCopiesDue = (eventId, now) =>
    eventId === broken ? Promise.reject(new Error('no')) : markCopiesDue(eventId, now)
  await expect(sweep()).rejects.toThrow('some uploads were not requested again')
  expect(await uploads.listOverdueCopies(new Date(), 1)).toMatchObject([{ timesRequested: 1 }])
})

const processed = { width: 1, height: 1, decoderVersion: 1 }

test.each([
  ['the media worker is away', () => Promise.resolve()],
  [
    'no decoder knows the photo',
    ({ uploads, uploadId }) => uploads.markFailed({ uploadId, reason: 'corrupt', decoderVersion: 0 }),
  ],
  [
    'the guest has taken the photo back',
    async ({ model, uploadId }) => {
      await model.updateOne({ _id: uploadId }, { deleted: true, deletionDueAt: new Date() })
    },
  ],
] as [string, (opened: Awaited<ReturnType<typeof openCopies>>) => Promise<void>][])(
  'When %s while copies begin to be allowed, then its copy is requested once it is there',
  async (_, begin) => {
    const opened = await openCopies()
    const { sweep, uploads, uploadId, model } = opened
    await begin(opened)
    for (let sweeps = 0; sweeps < 3; sweeps += 1) expect(await sweep()).toBe(0)
    await model.updateOne({ _id: uploadId }, { $set: { deleted: false }, $unset: { deletionDueAt: '' } })
    await uploads.markReady({ uploadId, ...processed })
    expect(await sweep()).toBe(1)
  },
)

test('When a copy arrives with the result of a photo that is ready already, then it is not requested, in place of others', async () => {
  const { sweep, uploads, uploadId, model } = await openCopies()
  await uploads.markReady({ uploadId, ...processed })
  expect(await sweep()).toBe(1)
  await uploads.markReady({ uploadId, ...processed, copy: { size: 1, crc32: 0 } })
  expect(await model.countDocuments({ copyDueAt: { $ne: null } })).toBe(0)
  // As earlier versions have left it.
  await model.updateOne({ _id: uploadId }, { $set: { copyDueAt: new Date(0) } })
  expect(await sweep()).toBe(0)
})
