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
let isOlderServer: boolean
/** What has been answered, by version. */
let answered: (string | undefined)[]
let now: number
let failure: ApiError | undefined
let list: WallList
let requests: number
/** Called before each answer, when the server has read its list. */
let beforeAnswer: (request: number) => void

type Fetch = Parameters<typeof createWallList>[0]['fetchPage']
const readPage = ({ limit, after }: Parameters<Fetch>[0]) => {
  const rest = after === undefined ? numbers : numbers.filter((number) => number < Number(after))
  const page = rest.slice(0, limit)
  return {
    uploads: page.map(upload),
    ...(rest.length > limit && { nextCursor: String(page.at(-1)) }),
  }
}
const readList = (query: Parameters<Fetch>[0]): Awaited<ReturnType<Fetch>> => {
  const { after, since, headers, onHeaders } = query
  if (isOlderServer || after !== undefined) return readPage(query)
  const state = JSON.stringify({ numbers, newFields })
  if (answered.at(-1) !== state) answered.push(state)
  const version = String(answered.length - 1)
  if (headers?.['If-None-Match'] === version)
    throw new ApiError(304, { code: 'unknown', message: 'Not modified' })
  onHeaders?.(new Headers({ ETag: version }))
  if (since === undefined) return { version, ...readPage(query) }
  const before = answered[Number(since)]
  if (before === undefined) return { version, reset: true, ...readPage(query) }
  const known = JSON.parse(before) as { numbers: number[]; newFields: object }
  const haveFieldsChanged = JSON.stringify(known.newFields) !== JSON.stringify(newFields)
  return {
    version,
    uploads: numbers.filter((number) => haveFieldsChanged || !known.numbers.includes(number)).map(upload),
    removed: known.numbers.filter((number) => !numbers.includes(number)).map(idOf),
  }
}

beforeEach(() => {
  numbers = Array.from({ length: 800 }, (_, index) => 800 - index)
  links = 1
  newFields = {}
  isOlderServer = false
  answered = []
  now = 0
  failure = undefined
  requests = 0
  beforeAnswer = () => undefined
  list = createWallList({
    now: () => now,
    fetchPage: (query) =>
      Promise.resolve().then(() => {
        requests += 1
        if (failure) throw failure
        const answer = readList(query)
        beforeAnswer(requests)
        return answer
      }),
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

test('When an upload is hidden, then the next poll removes it, however old it is', async () => {
  await list.refresh()
  remove(799)
  remove(10)
  remove(700)
  await list.refresh()
  expect(listed()).not.toContain(799)
  expect(listed()).not.toContain(10)
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

test('When the second page fails to load, then the next refresh loads all', async () => {
  await list.refresh()
  remove(10)
  // The server knows no version any more.
  answered = [undefined]
  beforeAnswer = () => {
    failure = new ApiError(503, { code: 'busy', message: 'Busy' })
  }
  await expect(list.refresh()).rejects.toMatchObject({ status: 503 })
  failure = undefined
  beforeAnswer = () => undefined
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
  ['changes', 1],
])(
  'When an upload is hidden while %s are being loaded, then the answer does not add it',
  async (_, earlier) => {
    const all = numbers
    if (earlier > 0) {
      remove(790)
      await list.refresh()
      numbers = all
    }
    beforeAnswer = () => list.remove(idOf(790))
    await list.refresh()
    expect(listed()).toHaveLength(799)
    expect(listed()).not.toContain(790)
    // It is shown again.
    beforeAnswer = () => undefined
    await list.refresh()
    expect(listed()).toEqual(numbers)
  },
)

test('When 200 old uploads are approved at once, then the next refresh adds them all, with one request', async () => {
  const all = numbers
  numbers = all.filter((number) => number > 400 || number <= 200)
  await list.refresh()
  const before = requests
  numbers = all
  await list.refresh()
  expect(listed()).toEqual(all)
  expect(requests - before).toBe(1)
})

test('When an upload is confirmed, then it goes if it was hidden; live updates report that themselves', async () => {
  await list.refresh()
  remove(10)
  remove(795)
  await list.confirm()
  expect(listed()).toEqual(numbers)
  const before = requests
  list.setLive(true)
  await list.confirm()
  expect(requests).toBe(before)
  remove(20)
  list.reset()
  await list.confirm()
  expect(listed()).toEqual(numbers)
})

test('When old uploads are added within a page, then those that it has pushed out are still confirmed', async () => {
  const all = numbers
  numbers = all.filter((number) => number !== 600)
  await list.refresh()
  numbers = all
  await list.confirm()
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

test('When nothing has changed, then a refresh is one request, and the list is the same', async () => {
  await list.refresh()
  const before = list.getState()
  await list.refresh()
  expect(requests).toBe(3)
  expect(list.getState()).toBe(before)
})

test('When an upload changes that is older than what the wall rotates, then it is not added', async () => {
  const all = Array.from({ length: 2_400 }, (_, index) => 2_400 - index)
  numbers = all.filter((number) => number !== 100)
  await list.refresh()
  numbers = all
  await list.refresh()
  remove(2_399)
  await list.refresh()
  expect(listed()).toEqual(numbers.slice(0, 1_999))
})

test('When the server starts again, then all are loaded', async () => {
  await list.refresh()
  remove(10)
  answered = [undefined]
  await list.refresh()
  expect(listed()).toEqual(numbers)
  expect(requests).toBe(4)
})

test('When a poll fails, then the next one has what has changed meanwhile', async () => {
  await list.refresh()
  remove(10)
  failure = new ApiError(503, { code: 'busy', message: 'Busy' })
  await expect(list.refresh()).rejects.toBe(failure)
  failure = undefined
  await list.refresh()
  expect(listed()).toEqual(numbers)
  expect(requests).toBe(4)
})

test('When the server is an older one, then each refresh loads all', async () => {
  isOlderServer = true
  await list.refresh()
  remove(10)
  numbers = [801, ...numbers]
  await list.refresh()
  expect(listed()).toEqual(numbers)
})
