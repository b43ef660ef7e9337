/** @jest-environment jsdom */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { ApiError } from '@confetti/api-client'
import type { Upload } from '@confetti/contracts'
import { relinked, someUpload, someUploads } from '../test/some-upload.ts'
import { makeFollower, type Followed } from './follow-uploads.ts'
import { PAGE, type ListPage } from './list-pages.ts'

const MINUTE_MS = 60_000
const QUARTER_MINUTE_MS = 15_000
const SOME_POLLS_MS = 6_000

let stop: AbortController
let hidden = false

beforeEach(() => {
  jest.useFakeTimers()
  stop = new AbortController()
  hidden = false
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
})
afterEach(() => {
  stop.abort()
  jest.useRealTimers()
})

const busy = new Error('The server is busy.')
/** An event's uploads on a server; `fail` makes it answer with an error. */
const serverWith = (uploads: Upload[]) => {
  const server = {
    uploads,
    fail: undefined as Error | undefined,
    asked: [] as number[],
    quiet: [] as boolean[],
  }
  const listPage: ListPage = ({ limit, after = '0' }, { quiet }) => {
    server.asked.push(limit)
    server.quiet.push(quiet)
    if (server.fail) return Promise.reject(server.fail)
    const end = Number(after) + limit
    const rest = end < server.uploads.length && { nextCursor: String(end) }
    return Promise.resolve({ uploads: server.uploads.slice(Number(after), end), ...rest })
  }
  return { server, listPage }
}

const follow = (listPage: ListPage, options: { firstPage?: number; allFresh?: boolean } = {}) => {
  const lists: Followed[] = []
  const errors: unknown[] = []
  const follower = makeFollower({
    listPage,
    ...options,
    onList: (list) => lists.push(list),
    onError: (error) => errors.push(error),
  })
  void follower.run(stop.signal)
  const names = (): string[] => (lists.at(-1)?.uploads ?? []).map(({ originalName }) => originalName)
  return { follower, lists, errors, names }
}

const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms)

test('When there are several pages, then the first shows at once and the rest comes quietly', async () => {
  const { server, listPage } = serverWith(someUploads(PAGE + 200))
  const { lists } = follow(listPage)
  await pass(1)
  expect(lists.map(({ uploads, whole }) => [uploads.length, whole])).toEqual([
    [PAGE, false],
    [PAGE + 200, true],
  ])
  expect(server.quiet).toEqual([false, true])
})

test('When a guest sends a photo, then it is in front within seconds, and known as just arrived', async () => {
  const { server, listPage } = serverWith(someUploads(3))
  const { lists, names } = follow(listPage)
  await pass(1)
  server.uploads = someUploads(4)
  await pass(SOME_POLLS_MS)
  expect(names()[0]).toBe('photo-4.jpg')
  expect([...(lists.at(-1)?.arrived ?? [])]).toEqual([someUpload(4)._id])
  expect(server.quiet.slice(1).every(Boolean)).toBe(true)
})

test('When more came at once than the newest page holds, then none is missing', async () => {
  const { server, listPage } = serverWith(someUploads(30))
  const { lists } = follow(listPage)
  await pass(1)
  server.uploads = someUploads(130)
  await pass(SOME_POLLS_MS)
  expect(lists.at(-1)?.uploads).toEqual(someUploads(130))
})

/** So many uploads, of which some of the oldest are still being processed. */
const withUnfinished = (count: number, unfinished: number): Upload[] =>
  someUploads(count).map((upload, index) =>
    index < count - unfinished ? upload : { ...upload, status: 'processing' },
  )

test('When a photo far below the newest gets ready, then it shows within seconds, and all is quiet again', async () => {
  const { server, listPage } = serverWith(withUnfinished(PAGE + 200, 2))
  const { lists } = follow(listPage)
  await pass(QUARTER_MINUTE_MS)
  server.uploads = withUnfinished(PAGE + 200, 1)
  await pass(QUARTER_MINUTE_MS)
  expect(lists.at(-1)?.uploads).toEqual(server.uploads)
  server.uploads = someUploads(PAGE + 200)
  await pass(QUARTER_MINUTE_MS)
  expect(lists.at(-1)?.uploads).toEqual(server.uploads)

  const asked = server.asked.length
  await pass(MINUTE_MS)
  expect(new Set(server.asked.slice(asked))).toEqual(new Set([20]))
})

test('When a photo never gets ready, then it is looked for ever more rarely', async () => {
  const { server, listPage } = serverWith(withUnfinished(60, 1))
  follow(listPage)
  const looksIn = async (ms: number): Promise<number> => {
    const before = server.asked.length
    await pass(ms)
    return server.asked.slice(before).filter((limit) => limit === PAGE).length
  }
  const first = await looksIn(MINUTE_MS)
  await pass(5 * MINUTE_MS)
  expect(await looksIn(MINUTE_MS)).toBeLessThan(first / 2)
})

test('When only the latest show, then those get ready within seconds, and older ones are not asked for', async () => {
  const { server, listPage } = serverWith(withUnfinished(60, 60))
  const { lists } = follow(listPage, { firstPage: 8, allFresh: false })
  await pass(1)
  const asked = server.asked.length
  server.uploads = withUnfinished(60, 40)
  await pass(SOME_POLLS_MS)
  expect(lists.at(-1)?.uploads).toEqual(server.uploads)
  await pass(MINUTE_MS)
  expect(new Set(server.asked.slice(asked))).toEqual(new Set([20]))
})

test('When there is no such event, then that is said, and it is not asked for again', async () => {
  const { server, listPage } = serverWith([])
  server.fail = new ApiError(404, { message: 'Event not found.', code: 'event_not_found' })
  const { errors } = follow(listPage)
  await pass(10 * MINUTE_MS)
  expect(errors).toEqual([server.fail])
  expect(server.asked).toHaveLength(1)
})

test('When nobody looks, then nothing is asked for, and at the return at once', async () => {
  const { server, listPage } = serverWith(someUploads(3))
  const { names } = follow(listPage)
  hidden = true
  await pass(MINUTE_MS)
  const asked = server.asked.length
  await pass(10 * MINUTE_MS)
  expect(server.asked.length).toBe(asked)

  server.uploads = someUploads(5)
  hidden = false
  document.dispatchEvent(new Event('visibilitychange'))
  await pass(1)
  expect(names()).toHaveLength(5)
})

test('When the links are about to expire, then all are renewed, and what was deleted meanwhile is gone', async () => {
  const { server, listPage } = serverWith(someUploads(60))
  const { lists } = follow(listPage)
  await pass(1)
  server.uploads = relinked(someUploads(60)).filter((_, index) => index !== 50)
  await pass(9 * MINUTE_MS)
  expect(lists.at(-1)?.uploads).toEqual(server.uploads)
})

test('When a picture fails, then the links are renewed on demand, but not over and over', async () => {
  const { server, listPage } = serverWith(someUploads(2))
  const { follower } = follow(listPage)
  await pass(MINUTE_MS)
  server.uploads = relinked(someUploads(2))
  const before = server.asked.filter((limit) => limit === PAGE).length
  expect(await follower.refresh(stop.signal)).toEqual(server.uploads)
  await follower.refresh(stop.signal)
  expect(server.asked.filter((limit) => limit === PAGE).length).toBe(before + 1)
})

test('When the list cannot be had, then that is said, and it is tried again until it can', async () => {
  const { server, listPage } = serverWith(someUploads(2))
  server.fail = busy
  const { errors, names } = follow(listPage)
  await pass(1)
  expect(errors).toHaveLength(1)
  server.fail = undefined
  await pass(MINUTE_MS)
  expect(names()).toHaveLength(2)
})

test('When one retries, then that is done at once', async () => {
  const { server, listPage } = serverWith(someUploads(2))
  server.fail = busy
  const { follower, names } = follow(listPage)
  await pass(1)
  server.fail = undefined
  follower.retry()
  await pass(1)
  expect(names()).toHaveLength(2)
})

test('When an upload has been deleted here, then an answer from before does not bring it back', async () => {
  const { listPage } = serverWith(someUploads(3))
  const { follower, names } = follow(listPage)
  await pass(1)
  follower.remove(someUpload(3)._id)
  expect(names()).toEqual(['photo-2.jpg', 'photo-1.jpg'])
  await pass(SOME_POLLS_MS)
  expect(names()).toEqual(['photo-2.jpg', 'photo-1.jpg'])
})

test('When it pauses and goes on, then what is known is kept', async () => {
  const { server, listPage } = serverWith(someUploads(30))
  const { follower, lists } = follow(listPage, { firstPage: 8, allFresh: false })
  await pass(1)
  stop.abort()
  await pass(MINUTE_MS)
  const asked = server.asked.length
  stop = new AbortController()
  void follower.run(stop.signal)
  await pass(1)
  expect(server.asked.slice(asked)).toEqual([20])
  expect(lists.at(-1)?.uploads).toHaveLength(30)
})
