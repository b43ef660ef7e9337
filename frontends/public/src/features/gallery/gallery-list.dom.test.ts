import { beforeEach, describe, expect, test } from '@jest/globals'
import { ApiError } from '@confetti/api-client'
import type { GalleryUpload } from '@confetti/contracts'
import { waitFor } from '@testing-library/react'
import { createGalleryList, PAGE_SIZE, type GalleryList } from './gallery-list.ts'

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
let requests: { after?: string | undefined; since?: string | undefined; isConditional: boolean }[]
/** Called before each answer, when the server has read its list. */
let beforeAnswer: () => void | Promise<void>
let list: GalleryList

type Fetch = Parameters<typeof createGalleryList>[0]['fetchPage']
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
    removed: known.numbers.filter((number) => !numbers.includes(number)).map((number) => upload(number)._id),
  }
}

beforeEach(() => {
  numbers = Array.from({ length: 200 }, (_, index) => 200 - index)
  links = 1
  newFields = {}
  isOlderServer = false
  answered = []
  now = 0
  failure = undefined
  requests = []
  beforeAnswer = () => undefined
  list = createGalleryList({
    now: () => now,
    fetchPage: async (query) => {
      const { after, since, headers } = query
      requests.push({ after, since, isConditional: headers?.['If-None-Match'] !== undefined })
      if (failure) throw failure
      const answer = readList(query)
      await beforeAnswer()
      return answer
    },
  })
})
const shown = () => list.getState().uploads.map(({ _id }) => Number(_id))
const remove = (number: number): void => {
  numbers = numbers.filter((each) => each !== number)
}

describe.each([false, true])('With an older server: %s', (isOlder) => {
  beforeEach(() => {
    isOlderServer = isOlder
  })

  test('When the end of the list is looked at, then the next page is loaded, and no other', async () => {
    await list.reload()
    expect(shown()).toEqual(numbers.slice(0, PAGE_SIZE))
    list.setRange(0, 5)
    expect(requests).toHaveLength(1)
    list.setRange(40, 50)
    await waitFor(() => expect(shown()).toEqual(numbers.slice(0, 2 * PAGE_SIZE)))
    expect(list.getState()).toMatchObject({ isLoadingMore: false, isComplete: false })
  })

  test('When an upload is hidden, then a refresh of what is looked at removes it', async () => {
    await list.reload()
    list.setRange(40, 50)
    await waitFor(() => expect(shown()).toHaveLength(2 * PAGE_SIZE))
    remove(190)
    remove(100)
    await list.refresh()
    expect(shown()).not.toContain(190)
    list.setRange(80, 110)
    await waitFor(() => expect(list.getState().isLoadingMore).toBe(false))
    await list.refresh()
    expect(shown()).not.toContain(100)
    expect(shown()).toEqual(numbers.slice(0, shown().length))
  })

  test('When new uploads arrive, then they are counted, and nothing moves until the list is loaded again', async () => {
    await list.reload()
    list.setRange(0, 5)
    const before = shown()
    numbers = [203, 202, 201, ...numbers]
    await list.refresh()
    expect(list.getState().newCount).toBe(3)
    expect(shown()).toEqual(before)
    await list.reload()
    expect(list.getState().newCount).toBe(0)
    expect(shown()).toEqual(numbers.slice(0, PAGE_SIZE))
  })

  test('When an older upload becomes visible, then it is counted, wherever it is, and there after the list is loaded anew', async () => {
    const all = numbers
    numbers = all.filter((number) => number !== 190 && number !== 120 && number !== 100)
    await list.reload()
    list.setRange(40, 55)
    await waitFor(() => expect(shown()).toHaveLength(2 * PAGE_SIZE))
    const before = shown()
    numbers = all.filter((number) => number !== 120)
    await list.refresh()
    expect(list.getState().newCount).toBe(isOlderServer ? 1 : 2)
    list.setRange(50, 70)
    await list.refresh()
    expect(list.getState().newCount).toBe(2)
    expect(shown()).toEqual(before)
    numbers = [201, ...all.filter((number) => number !== 120)]
    await list.refresh()
    expect(list.getState().newCount).toBe(3)
    await list.reload()
    expect(list.getState().newCount).toBe(0)
    expect(shown()).toEqual(numbers.slice(0, PAGE_SIZE))
  })

  test('When older uploads become visible, then the last one of their page still goes when it is hidden', async () => {
    const all = numbers
    numbers = all.filter((number) => number !== 190)
    await list.reload()
    const last = shown().at(-1) ?? 0
    numbers = all
    await list.refresh()
    remove(last)
    await list.refresh()
    expect(shown()).not.toContain(last)
  })

  test('When a field changes that no code names, then a refresh shows it, and keeps the links', async () => {
    await list.reload()
    const [first] = list.getState().uploads
    links = 2
    newFields = { unnamed: 1 }
    await list.refresh()
    expect(list.getState().uploads[0]).toEqual({ ...first, unnamed: 1 })
  })

  test('When links are nine minutes old, or a picture has failed, then they are renewed, and otherwise kept', async () => {
    await list.reload()
    const [first] = list.getState().uploads
    links = 2
    now = 60_000
    await list.refresh()
    expect(list.getState().uploads[0]).toBe(first)
    await list.renewLinks()
    expect(list.getState().uploads[0]?.thumbnailUrl).toContain('?2')
    links = 3
    now += 9 * 60_000 + 1
    await list.refresh()
    expect(list.getState().uploads[0]?.thumbnailUrl).toContain('?3')
  })

  test('When many pictures fail at once, then their links are requested once, and by the next refresh if that fails', async () => {
    await list.reload()
    links = 2
    now = 60_000
    failure = new ApiError(503, { code: 'busy', message: 'Busy' })
    const before = requests.length
    const renewals = Array.from({ length: 60 }, () => list.renewLinks())
    await expect(renewals[0]).rejects.toBe(failure)
    await Promise.all(renewals.slice(1))
    await list.renewLinks()
    expect(requests).toHaveLength(before + 1)

    failure = undefined
    await list.refresh()
    expect(list.getState().uploads[0]?.thumbnailUrl).toContain('?2')
    await list.renewLinks()
    expect(requests).toHaveLength(before + 2)
  })

  test('When new uploads fail to load, then the list stays, further pages load, and the next refresh shows the new uploads', async () => {
    list.setShowsNew(true)
    await list.reload()
    const before = shown()
    numbers = [201, ...numbers]
    failure = new ApiError(503, { code: 'busy', message: 'Busy' })
    await expect(list.refresh()).rejects.toBe(failure)
    expect(list.getState()).toMatchObject({ status: 'success', error: undefined })
    expect(shown()).toEqual(before)
    failure = undefined
    list.setRange(40, 50)
    await waitFor(() => expect(shown()).toHaveLength(2 * PAGE_SIZE))

    list.setRange(0, 5)
    await list.refresh()
    expect(shown()).toEqual(numbers.slice(0, shown().length))
  })

  test('When new uploads may show again, then they do at once', async () => {
    await list.reload()
    numbers = [201, ...numbers]
    await list.refresh()
    expect(shown()).not.toContain(201)
    list.setShowsNew(true)
    await waitFor(() => expect(shown()).toContain(201))
  })

  test('When the gallery is switched off, then the list is empty, and it returns when it is on again', async () => {
    await list.reload()
    failure = new ApiError(404, { code: 'gallery_off', message: 'Off' })
    await expect(list.refresh()).rejects.toBe(failure)
    expect(list.getState()).toMatchObject({ status: 'unavailable', uploads: [] })
    failure = undefined
    await list.refresh()
    expect(list.getState().status).toBe('success')
  })

  test('When a page fails to load, then the list says so and waits for a retry', async () => {
    await list.reload()
    failure = new ApiError(503, { code: 'busy', message: 'Busy' })
    list.setRange(40, 50)
    await waitFor(() => expect(list.getState().error).toBe(failure))
    list.setRange(41, 51)
    expect(requests).toHaveLength(2)
    failure = undefined
    list.retryNext()
    await waitFor(() => expect(shown()).toHaveLength(2 * PAGE_SIZE))
  })
})

test('When nothing has changed, then a refresh is one conditional request, and the list is the same', async () => {
  await list.reload()
  list.setRange(40, 50)
  await waitFor(() => expect(shown()).toHaveLength(2 * PAGE_SIZE))
  const before = list.getState()
  requests = []
  now = 60_000
  await list.refresh()
  await list.refresh()
  const request = { after: undefined, since: '0', isConditional: true }
  expect(requests).toEqual([request, request])
  expect(list.getState()).toBe(before)
  expect(list.getChangedAt()).toBe(0)
  remove(190)
  await list.refresh()
  expect(list.getChangedAt()).toBe(60_000)
})

test('When an upload is hidden that is not looked at, then it leaves its page, and what is new', async () => {
  await list.reload()
  list.setRange(40, 50)
  await waitFor(() => expect(shown()).toHaveLength(2 * PAGE_SIZE))
  numbers = [202, 201, ...numbers]
  await list.refresh()
  remove(190)
  remove(202)
  await list.refresh()
  expect(shown()).not.toContain(190)
  expect(list.getState().newCount).toBe(1)
  list.showNew()
  expect(shown()).toEqual(numbers.slice(0, shown().length))
  expect(list.getState().newCount).toBe(0)
})

test('When an upload changes that is older than the loaded pages, then it is not added', async () => {
  numbers = numbers.filter((number) => number !== 20)
  await list.reload()
  numbers = [...numbers, 20].sort((a, b) => b - a)
  await list.refresh()
  expect(list.getState().newCount).toBe(0)
  expect(shown()).toEqual(numbers.slice(0, PAGE_SIZE))
})

test('When the server starts again, then what is gone goes from all pages that are looked at', async () => {
  await list.reload()
  list.setRange(40, 50)
  await waitFor(() => expect(shown()).toHaveLength(2 * PAGE_SIZE))
  remove(190)
  remove(100)
  numbers = [201, ...numbers]
  answered = [undefined]
  await list.refresh()
  expect(shown()).not.toContain(190)
  expect(shown()).toContain(100)
  expect(list.getState().newCount).toBe(1)
  list.setRange(80, 110)
  await waitFor(() => expect(list.getState().isLoadingMore).toBe(false))
  await list.refresh()
  expect(shown()).not.toContain(100)
})

test('When an upload is hidden while its page is being loaded, then it is not shown', async () => {
  await list.reload()
  let answerPage = (): void => undefined
  beforeAnswer = () => new Promise((resolve) => (answerPage = resolve))
  list.setRange(40, 50)
  await waitFor(() => expect(requests).toHaveLength(2))
  beforeAnswer = () => undefined
  remove(100)
  await list.refresh()
  answerPage()
  await waitFor(() => expect(shown()).toHaveLength(2 * PAGE_SIZE - 1))
  expect(shown()).not.toContain(100)
})

test('When the first page has grown, then all its links are renewed, and its end is the same', async () => {
  list.setShowsNew(true)
  await list.reload()
  numbers = [...Array.from({ length: 40 }, (_, index) => 240 - index), ...numbers]
  await list.refresh()
  expect(shown()).toEqual(numbers.slice(0, 100))
  links = 2
  now = 9 * 60_000 + 1
  await list.refresh()
  expect(list.getState().uploads.every(({ thumbnailUrl }) => thumbnailUrl.endsWith('?2'))).toBe(true)
  expect(shown()).toEqual(numbers.slice(0, 100))
})
