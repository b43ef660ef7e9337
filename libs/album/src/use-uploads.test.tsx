import { useEffect, type ReactNode } from 'react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { act, cleanup, renderHook } from '@testing-library/react'
import { ApiError } from '@confetti/api-client'
import type { Upload, UploadVisibility } from '@confetti/contracts'
import { serveLive } from '../test/serve-live.ts'
import { pageOf, uploadFixture, uploadFixtures, withFreshLinks } from '../test/upload-fixture.ts'
import { PAGE_SIZE, type ListPage } from './load-uploads.ts'
import { useUploads, type Uploads } from './use-uploads.ts'

const MINUTE_MS = 60_000
const QUARTER_MINUTE_MS = 15_000
const SOME_POLLS_MS = 6_000
const RESPONSE_MS = 10
/** Enough for one request. */
const ONE_REQUEST_MS = RESPONSE_MS + 5

let visibility: DocumentVisibilityState

beforeEach(() => {
  jest.useFakeTimers()
  visibility = 'visible'
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => visibility })
})
afterEach(() => {
  cleanup()
  jest.restoreAllMocks()
  jest.useRealTimers()
})

const busy = new ApiError(503, { message: 'The server is busy.', code: 'busy' })
const notFound = new ApiError(404, { message: 'Event not found.', code: 'event_not_found' })

/** A server with the uploads of one event, and what of them has changed; responds with `error` if that is set. */
const createServer = (uploads: Upload[]) => {
  const server = {
    uploads,
    error: undefined as Error | undefined,
    /** Whether requests get no response. */
    hangs: false,
    /** The uploads of each version that it knows. */
    versions: [] as (Upload[] | undefined)[],
    /** Of each request. */
    requests: [] as { isWhole: boolean; after: string | undefined; quiet: boolean }[],
    countWhole: (): number => server.requests.filter(({ isWhole }) => isWhole).length,
  }
  const readList = (known: Upload[] | undefined) => {
    if (!known) return { reset: true as const }
    const ids = new Set(server.uploads.map(({ _id }) => _id))
    const before = new Set(known)
    return {
      uploads: server.uploads.filter((upload) => !before.has(upload)),
      removed: known.map(({ _id }) => _id).filter((id) => !ids.has(id)),
      nextCursor: undefined,
    }
  }
  const listPage: ListPage = async ({ limit, after, since }, { signal, quiet, headers, onHeaders }) => {
    server.requests.push({ isWhole: since === undefined && after === undefined, after, quiet })
    await new Promise((resolve) => {
      if (!server.hangs) setTimeout(resolve, RESPONSE_MS)
    })
    signal.throwIfAborted()
    if (server.error) throw server.error
    const page = pageOf(server.uploads, { limit, after })
    if (after !== undefined) return page
    const { versions } = server
    if (versions.at(-1) !== server.uploads) versions.push(server.uploads)
    const version = String(versions.length - 1)
    if (headers?.['If-None-Match'] === version)
      throw new ApiError(304, { code: 'unknown', message: 'Not modified' })
    onHeaders?.(new Headers({ ETag: version }))
    return { version, ...page, ...(since !== undefined && readList(versions[Number(since)])) }
  }
  return { server, listPage }
}

const renderUploads = (listPage: ListPage, { apiUrl }: { apiUrl?: string } = {}) => {
  const client = new QueryClient()
  const lists: Pick<Uploads, 'uploads' | 'isComplete'>[] = []
  const errors: unknown[] = []
  const useRecordedUploads = () => {
    const result = useUploads('party', { listPage, ...(apiUrl && { apiUrl }) })
    const { uploads, isComplete, status, error } = result
    useEffect(() => {
      if (status === 'success') lists.push({ uploads, isComplete })
    }, [uploads, isComplete, status])
    useEffect(() => {
      if (error) errors.push(error)
    }, [error])
    return result
  }
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const hook = renderHook(useRecordedUploads, { wrapper })
  const current = (): Uploads => hook.result.current
  const names = (): string[] => current().uploads.map(({ originalName }) => originalName)
  return { ...hook, lists, errors, current, names }
}

const pass = (ms: number): Promise<void> => act(() => jest.advanceTimersByTimeAsync(ms))
const setVisibility = (next: DocumentVisibilityState): void => {
  visibility = next
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
}

test('When there are several pages, then the first shows at once and the rest loads quietly', async () => {
  const { server, listPage } = createServer(uploadFixtures(PAGE_SIZE + 200))
  const { lists } = renderUploads(listPage)
  await pass(2 * ONE_REQUEST_MS)
  expect(lists.map(({ uploads, isComplete }) => [uploads.length, isComplete])).toEqual([
    [PAGE_SIZE, false],
    [PAGE_SIZE + 200, true],
  ])
  expect(server.requests.map(({ quiet }) => quiet)).toEqual([false, true])
})

test('When a guest sends a photo, then it is first in the list within seconds, and known as just arrived', async () => {
  const { server, listPage } = createServer(uploadFixtures(3))
  const { current, names } = renderUploads(listPage)
  await pass(ONE_REQUEST_MS)
  server.uploads = uploadFixtures(4)
  await pass(SOME_POLLS_MS)
  expect(names()[0]).toBe('photo-4.jpg')
  expect([...current().arrivedIds]).toEqual([uploadFixture(4)._id])
  expect(server.requests.slice(1).every(({ quiet }) => quiet)).toBe(true)
})

test('When nothing changes, then polls do not render the screen again', async () => {
  const { server, listPage } = createServer(uploadFixtures(3))
  const { lists } = renderUploads(listPage)
  await pass(MINUTE_MS)
  expect(server.requests.length).toBeGreaterThan(5)
  expect(lists).toHaveLength(1)
})

test('When many uploads arrive at once, then none is missing', async () => {
  const { server, listPage } = createServer(uploadFixtures(30))
  const { current } = renderUploads(listPage)
  await pass(ONE_REQUEST_MS)
  server.uploads = uploadFixtures(130)
  await pass(SOME_POLLS_MS)
  expect(current().uploads).toEqual(uploadFixtures(130))
})

test('When photos far below the newest get ready, then they show within seconds, and nothing else is loaded', async () => {
  const uploads = uploadFixtures(PAGE_SIZE + 200)
  const { server, listPage } = createServer(
    uploads.map((upload, index) => (index < PAGE_SIZE ? upload : { ...upload, status: 'processing' })),
  )
  const { current } = renderUploads(listPage)
  await pass(2 * ONE_REQUEST_MS)
  server.requests = []
  server.uploads = uploads
  await pass(MINUTE_MS)
  expect(current().uploads).toEqual(uploads)
  expect(server.requests.length).toBeGreaterThan(5)
  expect(server.requests.every(({ isWhole, after }) => !isWhole && after === undefined)).toBe(true)
})

test('When the server does not know what has changed, then the whole list is loaded, and again if that fails', async () => {
  const { server, listPage } = createServer(uploadFixtures(PAGE_SIZE + 200))
  const { current } = renderUploads(listPage)
  await pass(2 * ONE_REQUEST_MS)
  server.versions.fill(undefined)
  server.uploads = uploadFixtures(PAGE_SIZE + 210)
  while (server.requests.at(-1)?.after === undefined || server.requests.length < 4)
    await pass(RESPONSE_MS / 2)
  server.error = busy
  await pass(ONE_REQUEST_MS)
  expect(current().uploads).toHaveLength(PAGE_SIZE + 200)
  server.error = undefined
  await pass(QUARTER_MINUTE_MS)
  expect(current().uploads).toEqual(server.uploads)
})

test('When the event does not exist, then the status is not-found, and polling ends', async () => {
  const { server, listPage } = createServer([])
  server.error = notFound
  const { current, errors } = renderUploads(listPage)
  await pass(10 * MINUTE_MS)
  setVisibility('hidden')
  setVisibility('visible')
  await pass(MINUTE_MS)
  expect(current().status).toBe('not-found')
  expect(errors).toEqual([notFound])
  expect(server.requests).toHaveLength(1)
})

test('When the tab is hidden, then polling pauses, and resumes at once when the tab is visible again', async () => {
  const { server, listPage } = createServer(uploadFixtures(3))
  const { names } = renderUploads(listPage)
  await pass(ONE_REQUEST_MS)
  setVisibility('hidden')
  await pass(MINUTE_MS)
  const before = server.requests.length
  await pass(10 * MINUTE_MS)
  expect(server.requests.length).toBe(before)

  server.uploads = uploadFixtures(5)
  setVisibility('visible')
  await pass(ONE_REQUEST_MS)
  expect(names()).toHaveLength(5)
})

test('When the links are about to expire, then all are renewed, and deleted uploads disappear', async () => {
  const { server, listPage } = createServer(uploadFixtures(60))
  const { current } = renderUploads(listPage)
  await pass(ONE_REQUEST_MS)
  server.uploads = withFreshLinks(uploadFixtures(60)).filter((_, index) => index !== 50)
  await pass(9 * MINUTE_MS)
  expect(current().uploads).toEqual(server.uploads)
})

test('When pictures fail, then the links are renewed on demand, once for all of them', async () => {
  const { server, listPage } = createServer(uploadFixtures(2))
  const { current } = renderUploads(listPage)
  await pass(MINUTE_MS)
  server.uploads = withFreshLinks(uploadFixtures(2))
  const before = server.countWhole()
  const refreshes = Promise.all([current().refresh(), current().refresh()])
  await pass(ONE_REQUEST_MS)
  expect(await refreshes).toEqual([server.uploads, server.uploads])
  expect(await current().refresh()).toEqual(server.uploads)
  expect(server.countWhole()).toBe(before + 1)
})

test('When many pictures fail and the links cannot be renewed, then that is one request, and the next poll renews them', async () => {
  const { server, listPage } = createServer(uploadFixtures(40))
  const { current } = renderUploads(listPage)
  await pass(MINUTE_MS)
  server.uploads = withFreshLinks(uploadFixtures(40))
  server.error = busy
  const before = server.countWhole()
  for (let number = 0; number < 40; number += 1) {
    act(() => current().renewLinks())
    await pass(1)
  }
  expect(server.countWhole()).toBe(before + 1)
  expect(current().uploads).toEqual(uploadFixtures(40))

  server.error = undefined
  await pass(QUARTER_MINUTE_MS)
  expect(current().uploads).toEqual(server.uploads)
  act(() => current().renewLinks())
  await pass(ONE_REQUEST_MS)
  expect(server.countWhole()).toBe(before + 2)
})

test('When the list is reloaded right after it was loaded, then deleted uploads disappear from all of its pages', async () => {
  const { server, listPage } = createServer(uploadFixtures(PAGE_SIZE + 200))
  const { current } = renderUploads(listPage)
  await pass(2 * ONE_REQUEST_MS)
  server.uploads = server.uploads.filter((_, index) => index !== PAGE_SIZE + 100)
  const reload = current().reload()
  await pass(2 * ONE_REQUEST_MS)
  expect(await reload).toEqual(server.uploads)
  expect(current().uploads).toEqual(server.uploads)
})

test('When the list is reloaded during a reload, then the response of the first one does not count', async () => {
  const { server, listPage } = createServer(uploadFixtures(60))
  const { current } = renderUploads(listPage)
  await pass(ONE_REQUEST_MS)
  const first = current().reload()
  await pass(RESPONSE_MS / 2)
  server.uploads = server.uploads.filter((_, index) => index !== 50)
  const second = current().reload()
  await pass(ONE_REQUEST_MS)
  expect(await second).toEqual(server.uploads)
  await first
  expect(current().uploads).toEqual(server.uploads)
})

test('When the links cannot be renewed, then the refresh rejects and the list stays', async () => {
  const { server, listPage } = createServer(uploadFixtures(2))
  const { current, names } = renderUploads(listPage)
  await pass(MINUTE_MS)
  server.error = busy
  const refresh = expect(current().refresh()).rejects.toBe(busy)
  await pass(ONE_REQUEST_MS)
  await refresh
  expect([current().status, names()]).toEqual(['success', ['photo-2.jpg', 'photo-1.jpg']])
})

test('When a request gets no response, then the list is asked for again', async () => {
  const { server, listPage } = createServer(uploadFixtures(2))
  const { names } = renderUploads(listPage)
  await pass(ONE_REQUEST_MS)
  server.hangs = true
  await pass(SOME_POLLS_MS)
  server.hangs = false
  server.uploads = uploadFixtures(3)
  await pass(2 * MINUTE_MS)
  expect(names()).toHaveLength(3)
})

test('When the list fails to load, then the status stays an error until an automatic retry succeeds', async () => {
  const { server, listPage } = createServer(uploadFixtures(2))
  server.error = busy
  const { current, errors, names } = renderUploads(listPage)
  await pass(ONE_REQUEST_MS)
  expect(errors).toEqual([busy])
  const statuses = new Set<string>()
  for (let ms = 0; ms < QUARTER_MINUTE_MS; ms += RESPONSE_MS / 2) {
    await pass(RESPONSE_MS / 2)
    statuses.add(current().status)
  }
  expect(server.requests.length).toBeGreaterThan(1)
  expect([...statuses]).toEqual(['error'])
  server.error = undefined
  await pass(MINUTE_MS)
  expect(names()).toHaveLength(2)
})

test('When requests keep failing, then the pauses between them grow up to a minute', async () => {
  // Otherwise each pause varies by half, and three may fill five minutes.
  jest.spyOn(Math, 'random').mockReturnValue(0.5)
  const { server, listPage } = createServer(uploadFixtures(2))
  server.error = busy
  renderUploads(listPage)
  await pass(MINUTE_MS)
  expect(server.requests.length).toBeLessThanOrEqual(5)
  await pass(5 * MINUTE_MS)
  const before = server.requests.length
  await pass(5 * MINUTE_MS)
  expect(server.requests.length - before).toBeGreaterThanOrEqual(4)
  expect(server.requests.length - before).toBeLessThanOrEqual(7)
})

test('When the server says when to retry, then there is no request before that', async () => {
  const { server, listPage } = createServer(uploadFixtures(2))
  server.error = new ApiError(503, { message: 'The server is busy.', code: 'busy' }, 2 * MINUTE_MS)
  const { names } = renderUploads(listPage)
  await pass(ONE_REQUEST_MS)
  server.error = undefined
  await pass(2 * MINUTE_MS - SOME_POLLS_MS)
  expect(server.requests).toHaveLength(1)
  await pass(2 * SOME_POLLS_MS)
  expect(names()).toHaveLength(2)
})

test('When the device is online again, then the list loads at once', async () => {
  const { server, listPage } = createServer(uploadFixtures(2))
  server.error = busy
  const { names } = renderUploads(listPage)
  await pass(5 * MINUTE_MS)
  server.error = undefined
  window.dispatchEvent(new Event('offline'))
  window.dispatchEvent(new Event('online'))
  await pass(ONE_REQUEST_MS)
  expect(names()).toHaveLength(2)
})

test('When Retry is clicked, then the list loads at once', async () => {
  const { server, listPage } = createServer(uploadFixtures(2))
  server.error = busy
  const { current, names } = renderUploads(listPage)
  await pass(ONE_REQUEST_MS)
  server.error = undefined
  act(() => current().retry())
  await pass(1)
  expect(current().status).toBe('pending')
  await pass(ONE_REQUEST_MS)
  expect(names()).toHaveLength(2)
})

test('When an upload has been deleted on this page, then an older response does not bring it back', async () => {
  const { listPage } = createServer(uploadFixtures(3))
  const { current, names } = renderUploads(listPage)
  await pass(ONE_REQUEST_MS)
  act(() => current().remove(uploadFixture(3)._id))
  expect(names()).toEqual(['photo-2.jpg', 'photo-1.jpg'])
  await pass(SOME_POLLS_MS)
  expect(names()).toEqual(['photo-2.jpg', 'photo-1.jpg'])
})

test('When the page is left, then polling ends', async () => {
  const { server, listPage } = createServer(uploadFixtures(3))
  const { unmount } = renderUploads(listPage)
  await pass(ONE_REQUEST_MS)
  unmount()
  const before = server.requests.length
  await pass(MINUTE_MS)
  expect(server.requests.length).toBe(before)
})

test('When changes are reported, then the list is asked for at a change and once a minute, and polled without them', async () => {
  const live = serveLive()
  const { server, listPage } = createServer(uploadFixtures(3))
  const { names, unmount } = renderUploads(listPage, { apiUrl: 'https://api.example.test' })
  await pass(ONE_REQUEST_MS)
  const before = server.requests.length
  await pass(MINUTE_MS / 2)
  expect(server.requests).toHaveLength(before)

  server.uploads = uploadFixtures(4)
  live.send({ name: 'upload.added', uploadId: uploadFixture(4)._id })
  live.send({ name: 'upload.ready', uploadId: uploadFixture(4)._id })
  await pass(1_000)
  expect(names()[0]).toBe('photo-4.jpg')
  expect(server.requests).toHaveLength(before + 1)

  live.send({ name: 'upload.removed', uploadId: uploadFixture(4)._id })
  await pass(ONE_REQUEST_MS)
  expect(names()[0]).toBe('photo-3.jpg')

  live.isAvailable = false
  live.end()
  await pass(ONE_REQUEST_MS)
  await pass(SOME_POLLS_MS)
  expect(server.requests.length).toBeGreaterThan(before + 1)
  unmount()
})

test('When nothing changes for ten minutes, then a page with live updates asks less than a tenth as often', async () => {
  serveLive()
  const countRequests = async (options?: { apiUrl: string }): Promise<number> => {
    const { server, listPage } = createServer(uploadFixtures(3))
    const { unmount } = renderUploads(listPage, options)
    await pass(10 * MINUTE_MS)
    unmount()
    return server.requests.length
  }
  const polled = await countRequests()
  const followed = await countRequests({ apiUrl: 'https://api.example.test' })
  expect(polled).toBeGreaterThan(100)
  expect(followed).toBeLessThan(polled / 10)
})

/** A page that follows the event, with all of its uploads loaded. */
const renderLive = async (uploads: Upload[]) => {
  const live = serveLive()
  const { server, listPage } = createServer(uploads)
  const view = renderUploads(listPage, { apiUrl: 'https://api.example.test' })
  await pass((1 + uploads.length / PAGE_SIZE) * ONE_REQUEST_MS)
  server.requests = []
  const visibilityOf = (number: number) =>
    view.current().uploads.find(({ _id }) => _id === uploadFixture(number)._id)?.visibility
  /** Somebody else changes an upload, and the page learns of it. */
  const change = (number: number, visibility: UploadVisibility): void => {
    const { _id: uploadId } = uploadFixture(number)
    server.uploads = server.uploads.map((upload) =>
      upload._id === uploadId ? { ...upload, visibility } : upload,
    )
    live.send({ name: visibility === 'visible' ? 'upload.ready' : 'upload.hidden', uploadId })
  }
  return { ...view, live, server, visibilityOf, change }
}
const CHANGE_SHOWS_MS = 3_000

test('When somebody else changes uploads below the newest, then they show it within seconds, by one request', async () => {
  const { server, visibilityOf, change } = await renderLive(uploadFixtures(4 * PAGE_SIZE))
  change(PAGE_SIZE + 1, 'pending')
  change(PAGE_SIZE + 7, 'hidden')
  await pass(CHANGE_SHOWS_MS)
  expect([visibilityOf(PAGE_SIZE + 1), visibilityOf(PAGE_SIZE + 7)]).toEqual(['pending', 'hidden'])
  expect(server.requests).toHaveLength(1)
  expect(server.requests[0]).toMatchObject({ isWhole: false, quiet: true })

  change(1, 'hidden')
  await pass(CHANGE_SHOWS_MS)
  change(PAGE_SIZE + 1, 'visible')
  await pass(CHANGE_SHOWS_MS)
  expect([visibilityOf(PAGE_SIZE + 1), visibilityOf(1)]).toEqual(['visible', 'hidden'])
})

test.each(['change', 'reset'])(
  'When a guest restores what they have taken back, and live updates report a %s, then it shows again',
  async (reported) => {
    const { live, server, visibilityOf, change } = await renderLive(uploadFixtures(60))
    const before = server.uploads
    const { _id: uploadId } = uploadFixture(5)
    server.uploads = before.filter(({ _id }) => _id !== uploadId)
    live.send({ name: 'upload.removed', uploadId })
    await pass(CHANGE_SHOWS_MS)
    expect(visibilityOf(5)).toBeUndefined()
    server.uploads = before
    if (reported === 'change') change(5, 'visible')
    else live.send({ name: 'reset' })
    await pass(CHANGE_SHOWS_MS)
    expect(visibilityOf(5)).toBe('visible')
  },
)

test('When an upload changes again while its change is being loaded, then the last change shows', async () => {
  const { visibilityOf, change } = await renderLive(uploadFixtures(60))
  change(5, 'hidden')
  await pass(500 + RESPONSE_MS / 2)
  change(5, 'visible')
  change(5, 'pending')
  await pass(2 * CHANGE_SHOWS_MS)
  expect(visibilityOf(5)).toBe('pending')
})

test('When a changed upload cannot be loaded, then the next request loads it', async () => {
  const { server, visibilityOf, change } = await renderLive(uploadFixtures(60))
  server.error = busy
  change(5, 'hidden')
  await pass(CHANGE_SHOWS_MS)
  server.error = undefined
  await pass(2 * MINUTE_MS)
  expect(visibilityOf(5)).toBe('hidden')
})

test('When an upload is reported that is older than others of the list, then it shows where it belongs', async () => {
  const all = uploadFixtures(60)
  const late = uploadFixture(5)
  const { server, live, current } = await renderLive(all.filter(({ _id }) => _id !== late._id))
  server.uploads = all
  live.send({ name: 'upload.added', uploadId: late._id })
  await pass(CHANGE_SHOWS_MS)
  expect(current().uploads).toEqual(all)
})

test('When updates may be missing, then what has changed is loaded, even if the page was hidden', async () => {
  const { server, live, current } = await renderLive(uploadFixtures(PAGE_SIZE + 200))
  const hide = (number: number): void => {
    const { _id } = uploadFixture(number)
    server.uploads = server.uploads.map((upload) =>
      upload._id === _id ? { ...upload, visibility: 'hidden' } : upload,
    )
  }
  hide(3)
  live.send({ name: 'reset' })
  await pass(CHANGE_SHOWS_MS)
  expect(current().uploads).toEqual(server.uploads)
  expect(server.requests).toHaveLength(1)

  setVisibility('hidden')
  hide(4)
  live.send({ name: 'reset' })
  await pass(CHANGE_SHOWS_MS)
  setVisibility('visible')
  await pass(CHANGE_SHOWS_MS)
  expect(current().uploads).toEqual(server.uploads)
})

test('When changes go on, then they are asked for every two seconds at most', async () => {
  const { server, current, change } = await renderLive(uploadFixtures(PAGE_SIZE))
  for (let number = 1; number <= 200; number += 1) {
    change(number, 'hidden')
    await pass(50)
  }
  // For about 10 s.
  expect(server.requests.length).toBeLessThanOrEqual(6)
  await pass(CHANGE_SHOWS_MS)
  expect(current().uploads).toEqual(server.uploads)
})

test('When the server has stored a change although it seemed to fail, then the page shows what the server has', async () => {
  const { server, listPage } = createServer(uploadFixtures(3))
  const { current } = renderUploads(listPage)
  await pass(ONE_REQUEST_MS)
  const shown = () => current().uploads[0]?.visibility
  const { _id } = uploadFixture(3)
  const store = async (): Promise<void> => {
    server.uploads = [uploadFixture(3, { visibility: 'hidden' }), ...server.uploads.slice(1)]
    await new Promise((resolve) => {
      setTimeout(resolve, SOME_POLLS_MS)
    })
    throw busy
  }
  const change = expect(current().changeVisibility([_id], 'hidden', store)).rejects.toBe(busy)
  await pass(1)
  expect(shown()).toBe('hidden')
  await pass(SOME_POLLS_MS)
  await change
  expect(shown()).toBe('visible')
  await pass(SOME_POLLS_MS)
  expect(shown()).toBe('hidden')
})
