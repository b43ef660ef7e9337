import { currentPeriod, newUploadId, tagOf } from '@confetti/blob-storage'
import { blobNames } from '@confetti/contracts'
import { createLogger } from '@confetti/service-kit'
import { createMemoryBlobStorage } from '@confetti/test-kit/memory-blobs'
import { createMemoryDatabase } from '@confetti/test-kit/memory-database'
import { expect, test } from '@jest/globals'
import type { Deps } from '../deps.ts'
import { createBlobAccount } from '../storage/blob-account.ts'
import { createBlobStore } from '../storage/blob-store.ts'
import { openStores, createUploadStore } from '../storage/open-stores.ts'
import { createEraseUncompleted } from './erase-event.ts'
import { createSweep } from './sweep.ts'

const HOUR_MS = 3_600_000
const event = 'a'.repeat(24)
const others = ['b', 'c', 'd'].map((digit) => digit.repeat(24))

/** The sweep and the erasure on a database and a storage account in memory. */
const openService = async (quarantineMs = 0) => {
  let time = Date.parse('2026-06-12T20:00:00Z')
  const clock = (): Date => new Date(time)
  const lists: string[] = []
  let isRestored = false
  let kept = 0
  const stuck = new Set<string>()
  const published: string[] = []
  const storage = createMemoryBlobStorage({ now: clock })
  const service = storage.connect((label) => {
    if (label === 'container list photos') lists.push(label)
    return Promise.resolve()
  })
  const logger = createLogger('test', 'silent')
  const account = createBlobAccount({
    service,
    containerName: 'photos',
    publicUrl: undefined,
    linkSigner: storage.linkSigner,
    newCallDeadline: () => ({ abortSignal: new AbortController().signal }),
  })
  await account.container.createIfNotExists()
  const config = {
    ORPHAN_AGE_MS: 36 * HOUR_MS,
    ORPHAN_QUARANTINE_MS: quarantineMs,
    MAX_UPLOAD_DURATION_MS: 12 * HOUR_MS,
    TICKET_LIFE_MS: 24 * HOUR_MS,
    SWEEP_ORPHANS_LIMIT: 3,
    MAX_CACHED_EVENTS: 10,
  }
  const { uploadModel, stores } = await openStores(createMemoryDatabase().connect(), { config, clock })
  const relay = { wakeRelay: () => undefined, publishLeased: () => undefined }
  const blobs = createBlobStore(account, logger)
  const deps = {
    config,
    ...stores,
    uploads: createUploadStore(uploadModel, relay, {
      config: config as never,
      clock,
      eventTotals: stores.eventTotals,
      onChanged: () => undefined,
    }),
    blobs: {
      ...blobs,
      removeAll: (id: string) => (stuck.has(id) ? Promise.resolve(false) : blobs.removeAll(id)),
    },
    /** The media worker gets the message at once, and removes the blobs. */
    publish: async ({ data }: { data: { uploadId: string } }) => {
      published.push(data.uploadId)
      await blobs.removeAll(data.uploadId)
    },
    runAlone: (_: string, work: () => Promise<void>) => work().then(() => true),
    stopping: new AbortController().signal,
    clock,
    metrics: { swept: () => undefined, orphansKept: (count: number) => void (kept = count) },
    logger,
  } as unknown as Deps
  const eraseUncompleted = createEraseUncompleted(deps)
  const nothing = () => Promise.resolve(0)
  const sweep = createSweep(deps, {
    overdue: {
      requestProcessing: () => Promise.resolve({ requeued: 0, abandoned: 0, retried: 0 }),
      requestRenditions: nothing,
      requestCopies: nothing,
      replaceLostMessages: () => Promise.resolve(),
    },
    captureTimes: { refreshAll: nothing, refreshEvent: () => Promise.resolve() },
    eraseUncompleted,
    restoredDatabase: { isRestored: () => Promise.resolve(isRestored) },
  })
  const put = (name: string) => account.container.getBlockBlobClient(name).upload('photo', 5)
  return {
    sweep,
    eraseUncompleted: () => eraseUncompleted([tagOf(event)]),
    /** Sends files of an event that are never completed. */
    send: async (eventId: string, count = 1): Promise<string[]> => {
      await stores.unreadPeriods.add([currentPeriod(eventId, clock())])
      const ids = Array.from({ length: count }, () => newUploadId(eventId, clock()))
      for (const id of ids) await put(blobNames.original(id))
      return ids
    },
    /** Writes the record of a file, whose messages have been published or not. */
    record: async (_id: string, eventId: string): Promise<void> => {
      const photo = {
        eventId,
        photoCredit: _id,
        originalName: 'photo.jpg',
        contentType: 'image/jpeg' as const,
      }
      const fields = { size: 5, sha256: 'a'.repeat(64), uploadedAt: clock(), visibility: 'visible' as const }
      await deps.uploads.add([{ _id, ...photo, ...fields }])
    },
    publishAll: () => uploadModel.updateMany({}, { $set: { outboxPending: false } }),
    countRecords: () => uploadModel.countDocuments(),
    /** Erases the event, for which guests have links. */
    erase: async (): Promise<void> => {
      await stores.erasedIds.add(event)
      await stores.lingeringLinks.add(tagOf(event), new Date(time + HOUR_MS))
    },
    published,
    put,
    clock,
    pass: (ms: number) => {
      time += ms
    },
    setRestored: (value: boolean) => {
      isRestored = value
    },
    stuck,
    countKept: () => kept,
    /** The number of list calls that some work makes. */
    countLists: async (work: () => Promise<unknown>): Promise<number> => {
      const before = lists.length
      await work()
      return lists.length - before
    },
    names: async (): Promise<string[]> => {
      const names: string[] = []
      for await (const { name } of storage.connect().getContainerClient('photos').listBlobsFlat())
        names.push(name)
      return names
    },
  }
}

/** The same, after the sweep has read what earlier versions may have sent. */
const openLater = async (quarantineMs?: number) => {
  const opened = await openService(quarantineMs)
  opened.pass(4 * 24 * HOUR_MS)
  await opened.sweep()
  return opened
}

test('When one of several events is erased, then names of the others are not listed, however many there are', async () => {
  const { send, eraseUncompleted, countLists, names } = await openLater()
  await send(event, 2)
  // Of originals, of staged blocks, and of the folders of both uploads.
  expect(await countLists(eraseUncompleted)).toBe(4)
  const kept = (await Promise.all(others.map((other) => send(other, 30)))).flat()
  await send(event, 2)
  expect(await countLists(eraseUncompleted)).toBe(4)
  expect((await names()).toSorted()).toEqual(kept.map(blobNames.original).toSorted())
})

test('When the sweep has read the names of a time, then it does not read them again', async () => {
  const { send, sweep, pass, countLists, names } = await openLater()
  expect(await countLists(sweep)).toBe(0)
  const ids = [...(await send(event)), ...(await send(event)), ...(await send(others[0] ?? ''))]
  expect(await countLists(sweep)).toBe(0)
  pass(26 * HOUR_MS)
  // Of originals and of staged blocks of both events.
  expect(await countLists(sweep)).toBe(4)
  expect(await countLists(sweep)).toBe(0)
  expect(await names()).toHaveLength(ids.length)
  pass(12 * HOUR_MS)
  // Those of the folders that it removes.
  expect(await countLists(sweep)).toBe(ids.length)
  expect(await names()).toEqual([])
  expect(await countLists(sweep)).toBe(0)
})

test('When the sweep has found a file without a record, then it keeps it for some days, and while the database counts as restored', async () => {
  const { send, sweep, pass, setRestored, names } = await openLater(7 * 24 * HOUR_MS)
  await send(event)
  pass(25 * HOUR_MS)
  await sweep()
  pass(7 * 24 * HOUR_MS - 1)
  await sweep()
  expect(await names()).toHaveLength(1)
  pass(1)
  setRestored(true)
  await sweep()
  expect(await names()).toHaveLength(1)
  setRestored(false)
  await sweep()
  expect(await names()).toEqual([])
})

test('When an earlier version has sent files without completing them, then they are erased with their event, and swept', async () => {
  const { sweep, eraseUncompleted, put, clock, pass, countLists, names } = await openService()
  const nameOf = (eventId: string) =>
    `${Math.floor(clock().getTime() / 1_000).toString(16)}${tagOf(eventId)}0123456789/original`
  await put(nameOf(event))
  const kept = nameOf(others[0] ?? '')
  await put(kept)
  await eraseUncompleted()
  expect(await names()).toEqual([kept])
  pass(37 * HOUR_MS)
  await sweep()
  expect(await names()).toEqual([])
  pass(36 * HOUR_MS)
  await sweep()
  expect(await countLists(sweep)).toBe(0)
})

test('When there are more files without a record than one sweep removes, then it removes the oldest, and the next one those that are left', async () => {
  const { send, sweep, pass, countKept, names } = await openLater()
  const sent: string[] = []
  for (let count = 0; count < 5; count += 1) {
    sent.push(...(await send(event)))
    pass(1_000)
  }
  pass(37 * HOUR_MS)
  await sweep()
  expect(await names()).toEqual(sent.slice(3).map(blobNames.original))
  expect(countKept()).toBe(2)
  await sweep()
  expect(await names()).toEqual([])
  expect(countKept()).toBe(0)
})

test('When blob storage does not remove some files, then the others have their turn, and these are tried again', async () => {
  const { send, sweep, pass, stuck, names } = await openLater()
  for (const id of await send(event, 3)) stuck.add(id)
  pass(1_000)
  const others = await send(event, 2)
  pass(37 * HOUR_MS)
  await sweep()
  expect(await names()).toEqual(expect.arrayContaining(others.map(blobNames.original)))
  await sweep()
  expect((await names()).toSorted()).toEqual([...stuck].map(blobNames.original).toSorted())
  stuck.clear()
  pass(HOUR_MS)
  await sweep()
  expect(await names()).toEqual([])
})

test('When a record is written after its event was erased, then the sweep removes it once its messages are published, and its bytes', async () => {
  const { send, record, erase, publishAll, countRecords, sweep, published, pass, names } = await openLater()
  const [kept = ''] = await send(others[0] ?? '')
  await record(kept, others[0] ?? '')
  await erase()
  const [late = ''] = await send(event)
  await record(late, event)
  pass(2 * HOUR_MS)
  await sweep()
  expect(await countRecords()).toBe(2)
  expect(published).toEqual([])
  await publishAll()
  await sweep()
  expect(await countRecords()).toBe(1)
  expect(await names()).toEqual([blobNames.original(kept)])
  expect(published).toEqual([late])
})
