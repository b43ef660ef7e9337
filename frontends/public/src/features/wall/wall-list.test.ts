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
})

// A server with a list of uploads, newest first.
let numbers: number[]
let links: number
let now: number
let failure: ApiError | undefined
let list: WallList
let requests: number

beforeEach(() => {
  numbers = Array.from({ length: 800 }, (_, index) => 800 - index)
  links = 1
  now = 0
  failure = undefined
  requests = 0
  list = createWallList({
    now: () => now,
    fetchPage: ({ limit, after }) => {
      requests += 1
      if (failure) return Promise.reject(failure)
      const rest = after === undefined ? numbers : numbers.filter((number) => number < Number(after))
      const page = rest.slice(0, limit)
      const nextCursor = rest.length > limit ? String(page.at(-1)) : undefined
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
  await list.refresh([])
  expect(listed()).toEqual(numbers)
  expect(requests).toBe(2)
  numbers = [801, ...numbers]
  await list.refresh([])
  expect(listed()).toEqual(numbers)
  expect(requests).toBe(3)
})

test('When the event has more than the wall rotates, then the newest ones are kept', async () => {
  numbers = Array.from({ length: 5_000 }, (_, index) => 5_000 - index)
  await list.refresh([])
  expect(listed()).toEqual(numbers.slice(0, 2_000))
  numbers = [5_001, ...numbers]
  await list.refresh([])
  expect(listed()).toEqual(numbers.slice(0, 2_000))
})

test('When an upload on the screen is hidden, then the next poll removes it, however old it is', async () => {
  await list.refresh([])
  remove(799)
  remove(10)
  remove(700)
  await list.refresh([idOf(10)])
  expect(listed()).not.toContain(799)
  expect(listed()).not.toContain(10)
  await list.refresh([idOf(700)])
  expect(listed()).toEqual(numbers)
})

test('When five minutes have passed, then the links are renewed, and not before', async () => {
  await list.refresh([])
  links = 2
  now = 60_000
  await list.refresh([])
  expect(list.getState().uploads[0]?.previewUrl).toContain('?1')
  now = 5 * 60_000 + 1
  await list.refresh([])
  expect(list.getState().uploads[0]?.previewUrl).toContain('?2')
})

test('When the connection is lost, then the wall keeps what it has; when its link ends, it shows nothing', async () => {
  await list.refresh([])
  failure = new ApiError(0, { code: 'network_error', message: 'Lost' })
  await expect(list.refresh([])).rejects.toBe(failure)
  expect(listed()).toEqual(numbers)
  failure = new ApiError(404, { code: 'not_found', message: 'Not found' })
  await expect(list.refresh([])).rejects.toBe(failure)
  expect(list.getState()).toEqual({ status: 'ended', uploads: [] })
})
