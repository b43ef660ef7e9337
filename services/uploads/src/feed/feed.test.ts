import { newUploadId } from '@confetti/blob-storage'
import { createMemoryDatabase } from '@confetti/test-kit/memory-database'
import { expect, test } from '@jest/globals'
import { createUploadStore, openStores } from '../storage/open-stores.ts'
import type { ChangedUpload } from '../upload.ts'
import { createFeed, type FeedQuery } from './feed.ts'

const eventId = 'e'.repeat(24)
const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS

interface Item {
  _id: string
}
interface Body {
  version?: string
  uploads: Item[]
  removed?: string[]
  reset?: true
}

/** Replicas of the service on one database in memory, with a gallery of all uploads that are visible. */
const openSystem = () => {
  const database = createMemoryDatabase()
  let time = Date.parse('2026-06-12T20:00:00Z')
  let photos = 0
  const openReplica = async (clockAheadMs = 0) => {
    let queries = 0
    const connection = database.connect((label) => {
      if (label === 'uploads find') queries += 1
      return Promise.resolve()
    })
    const clock = () => new Date(time + clockAheadMs)
    const config = { MAX_CACHED_EVENTS: 10, PROCESSING_TIMEOUT_MS: MINUTE_MS }
    const { uploadModel } = await openStores(connection, { config, clock })
    const uploads = createUploadStore(
      uploadModel,
      { wakeRelay: () => undefined, publishLeased: () => undefined },
      {
        config,
        clock,
        eventTotals: { add: () => undefined },
        onChanged: (id) => feed.noteChange(id),
      },
    )
    const feed = createFeed({ config, uploads, clock } as never)
    const isShown = ({ isDeleted, visibility }: ChangedUpload) => !isDeleted && visibility === 'visible'
    const ask = async (
      query: FeedQuery = {},
      { maxAgeMs = 2 * SECOND_MS, seesOnlyProcessed = false } = {},
    ) => {
      queries = 0
      const { etag, body } = await feed.answer<Item, Body>(eventId, query, {
        seesOnlyProcessed,
        maxAgeMs,
        view: (upload) => (isShown(upload) ? { _id: upload._id } : undefined),
        mayHaveSeen: () => true,
        listPage: async () => {
          const listed = await uploads.list(eventId, { limit: query.limit }, 'uploaded')
          return {
            uploads: listed.uploads.flatMap(({ _id, visibility }) =>
              visibility === 'visible' ? { _id } : [],
            ),
          }
        },
        pageKey: 'gallery',
      })
      const { version, uploads: items, removed, reset } = body ?? { uploads: [] }
      return { etag, version, ids: items.map(({ _id }) => _id), removed, reset, is304: !body, queries }
    }
    return {
      ask,
      add: async (): Promise<string> => {
        photos += 1
        const _id = newUploadId(eventId, clock())
        await uploads.add([
          {
            _id,
            eventId,
            photoCredit: 'Anna',
            originalName: `${photos}.jpg`,
            contentType: 'image/jpeg',
            size: 1,
            sha256: String(photos).padStart(64, '0'),
            uploadedAt: clock(),
            visibility: 'visible',
          },
        ])
        return _id
      },
      process: (uploadId: string) => uploads.markReady({ uploadId, width: 4, height: 3 }),
      hide: (id: string) => uploads.setVisibility(eventId, id, 'hidden'),
      remove: (id: string) => uploads.markDeleted(id, clock(), eventId),
      forget: async (id: string) => {
        await uploadModel.deleteOne({ _id: id })
      },
    }
  }
  return {
    openReplica,
    pass: (ms: number): void => {
      time += ms
    },
  }
}

test('When uploads come, change and go, then an answer has what is new since a version, and what is gone', async () => {
  const { openReplica, pass } = openSystem()
  const replica = await openReplica()
  const [first, second] = [await replica.add(), await replica.add()]
  pass(MINUTE_MS)
  const page = await replica.ask()
  expect(page.ids.toSorted()).toEqual([first, second].toSorted())
  expect([page.removed, page.reset]).toEqual([undefined, undefined])

  const third = await replica.add()
  await replica.hide(first)
  await replica.remove(second)
  const changed = await replica.ask({ since: page.version })
  expect(changed).toMatchObject({ ids: [third], reset: undefined })
  expect(changed.removed?.toSorted()).toEqual([first, second].toSorted())
  pass(MINUTE_MS)
  const last = await replica.add()
  // What was new with the version comes again.
  expect((await replica.ask({ since: changed.version })).ids.toSorted()).toEqual([third, last].toSorted())
})

test('When nothing changes, then everybody gets 304, with one query in two seconds', async () => {
  const { openReplica, pass } = openSystem()
  const replica = await openReplica()
  await replica.add()
  const page = await replica.ask()
  const known = { since: page.version, ifNoneMatch: page.etag }
  expect(await replica.ask(known)).toMatchObject({ is304: true, etag: page.etag, queries: 0 })
  // Proxies that compress make it weak.
  expect(await replica.ask({ ...known, ifNoneMatch: `W/${page.etag}` })).toMatchObject({ is304: true })
  pass(3 * SECOND_MS)
  const answers = await Promise.all(Array.from({ length: 50 }, () => replica.ask(known)))
  expect(answers.every(({ is304 }) => is304)).toBe(true)
  expect(answers.at(-1)?.queries).toBe(1)
  expect(await replica.ask({ ifNoneMatch: page.etag })).toMatchObject({ is304: true, queries: 0 })

  // Those who ask for the page get new links; those who ask for changes get none.
  pass(10 * MINUTE_MS)
  expect(await replica.ask(known)).toMatchObject({ is304: true })
  expect(await replica.ask({ ifNoneMatch: page.etag })).toMatchObject({ is304: false })
})

test('When another replica has changed something, then it is seen within two seconds, or at once by who must', async () => {
  const { openReplica, pass } = openSystem()
  const [one, other] = [await openReplica(), await openReplica()]
  const id = await one.add()
  pass(MINUTE_MS)
  const [ofOne, ofOther] = [await one.ask(), await other.ask()]
  expect([ofOther.etag, ofOther.version]).toEqual([ofOne.etag, ofOne.version])
  const known = { since: ofOne.version, ifNoneMatch: ofOne.etag }

  await other.hide(id)
  expect(await one.ask(known)).toMatchObject({ is304: true })
  expect(await other.ask(known)).toMatchObject({ removed: [id] })
  expect(await one.ask(known, { maxAgeMs: 0 })).toMatchObject({ removed: [id] })
  pass(2 * SECOND_MS)
  expect(await one.ask(known)).toMatchObject({ removed: [id] })
})

test('When a change is written late, or by a slower clock, then nobody misses it', async () => {
  const { openReplica, pass } = openSystem()
  const [replica, slow] = [await openReplica(), await openReplica(-5 * SECOND_MS)]
  await replica.add()
  const { version, etag } = await replica.ask()
  const late = await slow.add()
  pass(2 * SECOND_MS)
  expect((await replica.ask({ since: version, ifNoneMatch: etag })).ids).toContain(late)
})

test('When a page asks after more than a day, then it learns of what was deleted, though no record of that is left', async () => {
  const { openReplica, pass } = openSystem()
  const [replica, idle] = [await openReplica(), await openReplica()]
  const [first, second] = [await replica.add(), await replica.add()]
  pass(MINUTE_MS)
  const page = await replica.ask()
  await idle.ask()
  pass(MINUTE_MS)
  await replica.remove(second)
  const known = { since: page.version, ifNoneMatch: page.etag }
  pass(22 * 60 * MINUTE_MS)
  expect(await replica.ask(known)).toMatchObject({ removed: [second] })
  pass(3 * 60 * MINUTE_MS)
  await replica.forget(second)
  // One that has never seen the record, and one that has last seen it before the deletion.
  for (const other of [await openReplica(), idle]) {
    const answer = await other.ask(known)
    expect(answer).toMatchObject({ reset: true, ids: [first] })
    expect(await other.ask({ since: answer.version })).toMatchObject({ reset: undefined, ids: [first] })
  }
})

test('When a version is unknown, too old or of a later time, then the answer is the first page', async () => {
  const { openReplica, pass } = openSystem()
  const replica = await openReplica()
  await replica.add()
  const { version = '' } = await replica.ask()
  for (const since of ['nonsense!', '', 'zzzzzzzzzz'])
    expect(await replica.ask({ since })).toMatchObject({ reset: true, ids: [expect.any(String)], version })
  pass(MINUTE_MS)
  for (let sent = 0; sent < 500; sent += 1) await replica.add()
  pass(MINUTE_MS)
  expect(await replica.ask({ since: version })).toMatchObject({ reset: undefined })
  await replica.add()
  pass(MINUTE_MS)
  const page = await replica.ask({ since: version })
  expect([page.reset, page.ids.length]).toEqual([true, 502])
})

test('When more uploads come than an answer can say, then who sees only processed ones is not told of them', async () => {
  const { openReplica, pass } = openSystem()
  const replica = await openReplica()
  const gallery = { seesOnlyProcessed: true }
  const shown = await replica.add()
  await replica.process(shown)
  pass(MINUTE_MS)
  const { version, etag } = await replica.ask({}, gallery)
  const known = { since: version, ifNoneMatch: etag }

  const waiting = await replica.add()
  for (let count = 0; count < 600; count += 1) await replica.add()
  pass(3 * SECOND_MS)
  expect(await replica.ask(known, gallery)).toMatchObject({ is304: true })
  expect(await replica.ask(known)).toMatchObject({ reset: true })

  await replica.process(waiting)
  // What was new with the version comes again.
  expect(await replica.ask(known, gallery)).toMatchObject({ reset: undefined, ids: [waiting, shown] })
  await replica.hide(shown)
  expect((await replica.ask(known, gallery)).removed).toEqual([shown])
})
