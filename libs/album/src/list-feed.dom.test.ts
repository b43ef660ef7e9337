import { beforeEach, expect, test } from '@jest/globals'
import { ApiError } from '@confetti/api-client'
import type { GalleryUpload } from '@confetti/contracts'
import {
  applyChanges,
  createListFeed,
  insertUploads,
  updateListed,
  type FeedAnswer,
  type FeedRequest,
} from './list-feed.ts'

const upload = (number: number, fields: Partial<GalleryUpload> = {}): GalleryUpload => ({
  _id: String(number).padStart(24, '0'),
  photoCredit: 'Table 4',
  uploadedAt: new Date(Date.UTC(2027, 5, 12) + number * 1_000).toISOString(),
  width: 400,
  height: 300,
  thumbnailUrl: `http://blob.test/${number}/thumbnail.webp`,
  previewUrl: `http://blob.test/${number}/preview.webp`,
  ...fields,
})
const numbersOf = (uploads: readonly GalleryUpload[]) => uploads.map(({ _id }) => Number(_id))

let answer: (request: FeedRequest) => Promise<FeedAnswer<GalleryUpload>>
let asked: Omit<FeedRequest, 'onHeaders' | 'limit'>[]
let feed: ReturnType<typeof createListFeed>
const read = () =>
  feed.read((request) => {
    const { limit, onHeaders, ...feedFields } = request
    expect(limit).toBe(60)
    expect(onHeaders).toBeDefined()
    asked.push(feedFields)
    return answer(request)
  }, 60)

const answerWith = (body: Awaited<ReturnType<typeof answer>>, etag?: string): void => {
  answer = ({ onHeaders }) => {
    onHeaders?.(new Headers(etag === undefined ? {} : { ETag: etag }))
    return Promise.resolve(body)
  }
}
const failWith = (status: number): void => {
  answer = () => Promise.reject(new ApiError(status, { code: 'unknown', message: 'Failed' }))
}

beforeEach(async () => {
  asked = []
  feed = createListFeed()
  answerWith({ version: 'a', uploads: [upload(1)], nextCursor: 'next' }, '"one"')
  expect(await read()).toEqual({ page: { uploads: [upload(1)], nextCursor: 'next' } })
  expect(asked).toEqual([{}])
  asked = []
})

test('When a list has been read, then the next request asks for what has changed since', async () => {
  answerWith({ version: 'b', uploads: [upload(2)], removed: ['x'] }, '"two"')
  expect(await read()).toEqual({ changes: { uploads: [upload(2)], removed: ['x'] } })
  await read()
  expect(asked).toEqual([
    { since: 'a', headers: { 'If-None-Match': '"one"' } },
    { since: 'b', headers: { 'If-None-Match': '"two"' } },
  ])
})

test.each([304, 503])('When the answer is %i, then the next request asks the same', async (status) => {
  failWith(status)
  if (status === 304) expect(await read()).toBeUndefined()
  else await expect(read()).rejects.toMatchObject({ status })
  answerWith({ version: 'b', uploads: [] })
  await read()
  expect(asked[1]).toEqual({ since: 'a', headers: { 'If-None-Match': '"one"' } })
})

test('When the page cannot read the ETag, then it asks by the version alone', async () => {
  answerWith({ version: 'b', uploads: [] })
  await read()
  await read()
  expect(asked[1]).toEqual({ since: 'b' })
})

test('When the server starts again, then the answer is the first page, and changes follow', async () => {
  answerWith({ version: 'c', reset: true, uploads: [upload(3)] })
  expect(await read()).toEqual({ page: { uploads: [upload(3)], nextCursor: undefined } })
  answerWith({ version: 'd', uploads: [] })
  expect(await read()).toEqual({ changes: { uploads: [], removed: [] } })
})

test('When the server is an older one, then each answer is the first page', async () => {
  answerWith({ uploads: [upload(3)] }, '"three"')
  for (let reads = 0; reads < 2; reads += 1)
    expect(await read()).toEqual({ page: { uploads: [upload(3)], nextCursor: undefined } })
  expect(asked[1]).toEqual({})
})

test('When a feed is restarted, then it asks for the first page', async () => {
  feed.restart()
  await read()
  expect(asked).toEqual([{}])
})

test('When changes come, then listed uploads are updated with their links, and removed, and nothing else moves', () => {
  const listed = [upload(3), upload(2), upload(1)]
  const unchanged = {
    uploads: [upload(4), upload(2, { previewUrl: 'http://blob.test/new' })],
    removed: ['x'],
  }
  expect(updateListed(listed, unchanged)).toBe(listed)
  const changes = {
    uploads: [upload(2, { photoCredit: 'Ada', previewUrl: 'http://blob.test/new' })],
    removed: [upload(3)._id],
  }
  expect(updateListed(listed, changes)).toEqual([upload(2, { photoCredit: 'Ada' }), upload(1)])
})

test('When uploads are added, then they are where their time and id put them', () => {
  const listed = [upload(5), upload(2)]
  const sameTime = { ...upload(6), uploadedAt: upload(2).uploadedAt }
  expect(numbersOf(insertUploads(listed, [upload(7), upload(1), sameTime]))).toEqual([7, 5, 6, 2, 1])
  expect(insertUploads(listed, [])).toBe(listed)
})

test('When changes come, then a list gets what it lacks, but nothing older than its last upload if it has more', () => {
  const listed = [upload(5), upload(3)]
  const changes = { uploads: [upload(2), upload(4), upload(3)], removed: [upload(5)._id] }
  expect(numbersOf(applyChanges(listed, changes).uploads)).toEqual([4, 3, 2])
  const { uploads, added } = applyChanges(listed, changes, upload(3))
  expect([numbersOf(uploads), numbersOf(added)]).toEqual([[4, 3], [4]])
  expect(applyChanges(listed, { uploads: [upload(3)], removed: [] }).uploads).toBe(listed)
})
