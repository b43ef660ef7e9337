import { beforeEach, expect, test } from '@jest/globals'
import { ApiError } from '@confetti/api-client'
import type { GalleryUpload } from '@confetti/contracts'
import { createWallList, type WallList } from './wall-list.ts'

const upload = (number: number): GalleryUpload => ({
  _id: String(number).padStart(24, '0'),
  photoCredit: 'Table 4',
  uploadedAt: new Date(Date.UTC(2027, 5, 12) + number * 1_000).toISOString(),
  width: 400,
  height: 300,
  thumbnailUrl: `http://blob.test/${number}/thumbnail.webp?${links}`,
  previewUrl: `http://blob.test/${number}/preview.webp?${links}`,
  ...newFields,
})

// A server with a list of uploads, newest first.
let numbers: number[]
let links: number
/** Fields of the uploads that no code names. */
let newFields: object
let now: number
let failure: ApiError | undefined
let list: WallList
let requests: number
/** Called before each answer, when the server has read its list. */
let beforeAnswer: (request: number) => void

beforeEach(() => {
  numbers = Array.from({ length: 800 }, (_, index) => 800 - index)
  links = 1
  newFields = {}
  now = 0
  failure = undefined
  requests = 0
  beforeAnswer = () => undefined
  list = createWallList({
    now: () => now,
    fetchPage: ({ limit, after }) => {
      requests += 1
      if (failure) return Promise.reject(failure)
      const rest = after === undefined ? numbers : numbers.filter((number) => number < Number(after))
      const page = rest.slice(0, limit)
      const nextCursor = rest.length > limit ? String(page.at(-1)) : undefined
      beforeAnswer(requests)
      return Promise.resolve({ uploads: page.map(upload), nextCursor })
    },
  })
})
const listed = () => list.getState().uploads.map(({ _id }) => Number(_id))
const idOf = (number: number): string => upload(number)._id
const remove = (number: number): void => {
  numbers = numbers.filter((each) => each !== number)
}

test('When a wall starts, then it has all uploads, and later polls are small', async () => {
  await list.refresh()
  expect(listed()).toEqual(numbers)
  expect(requests).toBe(2)
  numbers = [801, ...numbers]
  await list.refresh()
  expect(listed()).toEqual(numbers)
  expect(requests).toBe(3)
})

test('When the event has more than the wall rotates, then the newest ones are kept', async () => {
  numbers = Array.from({ length: 5_000 }, (_, index) => 5_000 - index)
  await list.refresh()
  expect(listed()).toEqual(numbers.slice(0, 2_000))
  numbers = [5_001, ...numbers]
  await list.refresh()
  expect(listed()).toEqual(numbers.slice(0, 2_000))
})

test('When an upload on the screen is hidden, then the next poll removes it, however old it is', async () => {
  await list.refresh()
  remove(799)
  remove(10)
  remove(700)
  list.setShown([idOf(10)])
  await list.refresh()
  expect(listed()).not.toContain(799)
  expect(listed()).not.toContain(10)
  list.setShown([idOf(700)])
  await list.refresh()
  expect(listed()).toEqual(numbers)
})

test('When a field changes that no code names, then the next poll shows it, and keeps the links', async () => {
  await list.refresh()
  const [first] = list.getState().uploads
  links = 2
  newFields = { unnamed: 1 }
  await list.refresh()
  expect(list.getState().uploads[0]).toEqual({ ...first, unnamed: 1 })
})

test('When five minutes have passed, then the links are renewed, and not before', async () => {
  await list.refresh()
  links = 2
  now = 60_000
  await list.refresh()
  expect(list.getState().uploads[0]?.previewUrl).toContain('?1')
  now = 5 * 60_000 + 1
  await list.refresh()
  expect(list.getState().uploads[0]?.previewUrl).toContain('?2')
})

test('When the connection is lost, then the wall keeps what it has; when its link ends, it shows nothing', async () => {
  await list.refresh()
  failure = new ApiError(0, { code: 'network_error', message: 'Lost' })
  await expect(list.refresh()).rejects.toBe(failure)
  expect(listed()).toEqual(numbers)
  failure = new ApiError(404, { code: 'not_found', message: 'Not found' })
  await expect(list.refresh()).rejects.toBe(failure)
  expect(list.getState()).toEqual({ status: 'ended', uploads: [] })
})

test('When changes may have been missed, then the next refresh loads all: what was hidden meanwhile goes', async () => {
  await list.refresh()
  remove(10)
  list.reset()
  await list.refresh()
  expect(listed()).toEqual(numbers)
})

test('When changes may have been missed while all are being loaded, then they are loaded again', async () => {
  beforeAnswer = (request) => {
    if (request !== 2) return
    remove(10)
    list.reset()
  }
  await list.refresh()
  expect(listed()).toContain(10)
  await list.refresh()
  expect(listed()).toEqual(numbers)
})

test.each([
  ['all', 0],
  ['the newest', 1],
])(
  'When an upload is hidden while %s are being loaded, then the answer does not add it',
  async (_, earlier) => {
    for (let count = 0; count < earlier; count += 1) await list.refresh()
    beforeAnswer = () => list.remove(idOf(790))
    await list.refresh()
    expect(listed()).toHaveLength(799)
    expect(listed()).not.toContain(790)
    // It is shown again.
    beforeAnswer = () => undefined
    list.expect(idOf(790))
    await list.refresh()
    expect(listed()).toEqual(numbers)
  },
)

test('When 200 old uploads are approved at once, then the next refresh adds them all, with few requests', async () => {
  const all = numbers
  numbers = all.filter((number) => number > 400 || number <= 200)
  await list.refresh()
  const before = requests
  numbers = all
  for (let number = 201; number <= 400; number += 1) list.expect(idOf(number))
  await list.refresh()
  expect(listed()).toEqual(all)
  expect(requests - before).toBe(3)
  await list.refresh()
  expect(requests - before).toBe(4)
})

test('When an upload that became ready is not listed, then all are loaded once for it', async () => {
  await list.refresh()
  list.expect(idOf(5_000))
  await list.refresh()
  const before = requests
  await list.refresh()
  expect(requests - before).toBe(1)
})

test('When an upload is confirmed, then it goes if it was hidden; live updates report that themselves', async () => {
  await list.refresh()
  remove(10)
  remove(795)
  await list.confirm([idOf(10), idOf(795), idOf(20)])
  expect(listed()).toEqual(numbers)
  const before = requests
  list.setLive(true)
  await list.confirm([idOf(20)])
  expect(requests).toBe(before)
  remove(20)
  list.reset()
  await list.confirm([idOf(20)])
  expect(listed()).toEqual(numbers)
})

test('When old uploads are added within a page, then those that it has pushed out are still confirmed', async () => {
  const all = numbers
  numbers = all.filter((number) => number !== 600)
  await list.refresh()
  numbers = all
  await list.confirm([idOf(300)])
  expect(listed()).toContain(300)
})

test('When the link of a wall works again, then all uploads return', async () => {
  await list.refresh()
  failure = new ApiError(404, { code: 'not_found', message: 'Not found' })
  await expect(list.refresh()).rejects.toBe(failure)
  failure = undefined
  await list.refresh()
  expect(listed()).toEqual(numbers)
})
