import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import type { GalleryUpload } from '@confetti/contracts'
import { useRoutes } from '@confetti/federation/router'
import { renderPage } from '../test/harness.tsx'
import { Wall } from './wall.tsx'

const EVENT_ID = '0123456789abcdef01234567'
const upload = (number: number, uploadedAt = '2024-06-12T20:00:00.000Z'): GalleryUpload => ({
  _id: String(number).padStart(24, '0'),
  photoCredit: `Guest ${number}`,
  uploadedAt,
  width: 400,
  height: 300,
  thumbnailUrl: `http://blob.test/${number}/thumbnail.webp`,
  previewUrl: `http://blob.test/${number}/preview.webp`,
})

let uploads: GalleryUpload[]
let keys: (string | undefined)[]
/** Object URLs that have not been revoked. */
let objectUrls: Set<string>
let isOnline: boolean
let hasEnded: boolean
/** Whether guests of the event need a PIN. */
let hasPin: boolean
/** The numbers of the photos that cannot be loaded. */
let broken: Set<number>
/** The body of the live stream's response; undefined if the server has no live updates. */
let liveBody: object | undefined

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick', 'setImmediate'] })
  uploads = [upload(2), upload(1)]
  keys = []
  objectUrls = new Set()
  isOnline = true
  hasEnded = false
  hasPin = false
  broken = new Set()
  liveBody = undefined
  // jsdom has no object URLs.
  URL.createObjectURL = () => {
    const url = `blob:${randomUUID()}`
    objectUrls.add(url)
    return url
  }
  URL.revokeObjectURL = (url) => void objectUrls.delete(url)
  globalThis.fetch = ((address: string, { headers }: RequestInit) => {
    if (!isOnline) return Promise.reject(new TypeError('Failed to fetch'))
    const { pathname, hostname, searchParams } = new URL(address)
    if (hostname === 'blob.test') {
      const ok = !broken.has(Number(pathname.split('/')[1]))
      return Promise.resolve({ ok, status: ok ? 200 : 404, blob: () => Promise.resolve(new Blob()) })
    }
    if (liveBody && pathname === `/api/live/${EVENT_ID}`) {
      const live = new Map([['Content-Type', 'text/event-stream']])
      return Promise.resolve({ ok: true, status: 200, body: liveBody, headers: live })
    }
    const key = (headers as Record<string, string | undefined>)['X-Wall-Key']
    const isWall = pathname === `/api/wall/${EVENT_ID}`
    if (isWall) keys.push(key)
    const status = (isWall ? hasEnded || key !== 'secret' : hasPin) ? 404 : 200
    const body = isWall ? listPage(searchParams) : { _id: EVENT_ID, name: 'Harbour summer fair' }
    const refusal = isWall
      ? { message: 'x', code: 'x' }
      : { message: 'Please enter the PIN.', code: 'pin_required', details: { name: 'Harbour summer fair' } }
    const text = () => Promise.resolve(JSON.stringify(status === 404 ? refusal : body))
    return Promise.resolve({ ok: status < 300, status, text, headers: new Map() })
  }) as unknown as typeof fetch
})
afterEach(() => {
  cleanup()
  jest.useRealTimers()
})

/** Answers a page of the list of uploads, as the server does. */
const listPage = (query: URLSearchParams) => {
  const start = Number(query.get('after') ?? 0)
  const end = start + Number(query.get('limit'))
  return { uploads: uploads.slice(start, end), ...(end < uploads.length && { nextCursor: String(end) }) }
}
/** Lets the server have live updates. Returns the function that sends one. */
const startLive = (): ((name: string, data?: object) => void) => {
  const chunks: Uint8Array[] = []
  let wake = (): void => undefined
  const read = async (): Promise<{ done: boolean; value: Uint8Array | undefined }> => {
    while (chunks.length === 0) await new Promise<void>((resolve) => (wake = resolve))
    return { done: false, value: chunks.shift() }
  }
  liveBody = { getReader: () => ({ read }) }
  return (name, data = {}) => {
    chunks.push(new TextEncoder().encode(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`))
    wake()
  }
}

const Routes = () => useRoutes([{ path: '/wall/:eventId', element: <Wall /> }])
const advance = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms))
const shown = (): (string | null)[] =>
  [...document.querySelectorAll('figcaption')].map(({ textContent }) => textContent)
/** Of the two guests whose photos are there at first, the other one. */
const otherThan = (credit: string | null | undefined): string =>
  credit === 'Guest 1' ? 'Guest 2' : 'Guest 1'

test('When a wall is opened with its key, then it shows one photo after the other, with credit and QR code', async () => {
  renderPage(`/wall/${EVENT_ID}#secret`, Routes)
  await screen.findByText('Harbour summer fair')
  await advance(2_000)
  const [first] = shown()
  expect(first).toMatch(/^Guest/)
  await advance(9_000)
  expect(shown()).toEqual([otherThan(first)])
  expect(keys.every((key) => key === 'secret')).toBe(true)
  expect(screen.getByRole('img', { name: 'QR code of the upload link of Harbour summer fair' })).toBeTruthy()
})

test('When the event has a PIN, then a wall shows its photos and its name without', async () => {
  hasPin = true
  renderPage(`/wall/${EVENT_ID}#secret`, Routes)
  await screen.findByText('Harbour summer fair')
  await advance(2_000)
  expect(shown()[0]).toMatch(/^Guest/)
})

test('When the photo on the screen is hidden, then it goes with the next poll', async () => {
  renderPage(`/wall/${EVENT_ID}?seconds=60#secret`, Routes)
  await advance(2_000)
  const [first] = shown()
  expect(first).toMatch(/^Guest/)
  uploads = uploads.filter(({ photoCredit }) => photoCredit !== first)
  await advance(3_000)
  expect(shown()).not.toContain(first)
})

test('When a photo arrives, then it is shown within three seconds, and the one before comes again', async () => {
  renderPage(`/wall/${EVENT_ID}?seconds=60#secret`, Routes)
  await advance(10_000)
  const [before] = shown()
  uploads = [upload(3, new Date().toISOString()), ...uploads]
  await advance(3_000)
  expect(shown()).toEqual(['Guest 3'])
  await advance(61_000)
  expect(shown()).toEqual([otherThan(before)])
  await advance(60_000)
  expect(shown()).toEqual([before])
})

test('When names are off, then no credit shows', async () => {
  renderPage(`/wall/${EVENT_ID}?names=off#secret`, Routes)
  await advance(2_000)
  expect(document.querySelectorAll('figure')).toHaveLength(1)
  expect(shown()).toEqual([])
})

test('When a browser lacks full screen, then there is no button for it, and its keys do nothing', async () => {
  renderPage(`/wall/${EVENT_ID}#secret`, Routes)
  await advance(2_000)
  expect(screen.queryByRole('button')).toBeNull()
  const handleError = jest.fn()
  window.addEventListener('error', handleError)
  for (const key of ['f', 'Enter']) fireEvent.keyDown(document.body, { key })
  window.removeEventListener('error', handleError)
  expect(handleError).not.toHaveBeenCalled()
})

test('When there are no photos yet, then the wall says so, and shows the first one', async () => {
  uploads = []
  renderPage(`/wall/${EVENT_ID}#secret`, Routes)
  await screen.findByText('Waiting for the first photo')
  uploads = [upload(1)]
  await advance(5_000)
  expect(shown()).toEqual(['Guest 1'])
})

test('When the key is wrong, then the page says that the link no longer works', async () => {
  renderPage(`/wall/${EVENT_ID}#wrong`, Routes)
  await screen.findByRole('heading', { name: 'This link no longer works' })
})

test('When the network is gone, then the wall continues with what it has shown, and shows new photos afterwards', async () => {
  uploads = [3, 2, 1].map((number) => upload(number))
  renderPage(`/wall/${EVENT_ID}?seconds=3#secret`, Routes)
  await advance(5_000)
  expect(objectUrls.size).toBe(2)
  isOnline = false
  const seen = new Set<string | null>()
  for (let turn = 0; turn < 100; turn += 1) {
    await advance(3_000)
    for (const credit of shown()) seen.add(credit)
  }
  expect(seen.size).toBe(2)
  expect(objectUrls.size).toBe(2)
  isOnline = true
  uploads = [upload(4, new Date().toISOString()), ...uploads]
  await advance(60_000)
  expect(objectUrls.size).toBe(4)
})

test('When photos come and go for hours, then at most 200 pictures stay in memory, and none after the wall', async () => {
  renderPage(`/wall/${EVENT_ID}?seconds=3#secret`, Routes)
  await advance(3_000)
  for (let number = 3; number < 260; number += 1) {
    uploads = [upload(number, new Date().toISOString()), ...uploads]
    await advance(3_000)
  }
  expect(objectUrls.size).toBe(200)
  uploads = uploads.slice(0, 1)
  await advance(10_000)
  expect(objectUrls.size).toBe(1)
  cleanup()
  expect(objectUrls.size).toBe(0)
})

test('When a photo cannot be loaded after hundreds have arrived, then the next new one is shown at once', async () => {
  renderPage(`/wall/${EVENT_ID}?seconds=3#secret`, Routes)
  await advance(3_000)
  for (let number = 3; number < 230; number += 1) {
    uploads = [upload(number, new Date().toISOString()), ...uploads]
    await advance(3_000)
  }
  broken.add(230)
  uploads = [upload(230, new Date().toISOString()), ...uploads]
  await advance(6_000)
  uploads = [upload(231, new Date().toISOString()), ...uploads]
  const seen: (string | null)[] = []
  for (let second = 0; second < 5; second += 1) {
    await advance(1_000)
    seen.push(...shown())
  }
  expect(seen).toContain('Guest 231')
})

test('When there is no network, then the same photo is not shown twice in a row', async () => {
  uploads = [2, 1].map((number) => ({ ...upload(number), photoCredit: 'Aunt Marta', width: 400 + number }))
  const picture = () => document.querySelector('figure img')?.getAttribute('src')
  renderPage(`/wall/${EVENT_ID}?seconds=3#secret`, Routes)
  await advance(5_000)
  isOnline = false
  let before = picture()
  for (let turn = 0; turn < 10; turn += 1) {
    await advance(3_000)
    expect(picture()).not.toBe(before)
    before = picture()
  }
})

test('When the photo on the screen is hidden, then another one takes its place at once, and it can come back', async () => {
  renderPage(`/wall/${EVENT_ID}?seconds=60#secret`, Routes)
  await advance(2_000)
  const [first] = shown()
  const all = uploads
  uploads = uploads.filter(({ photoCredit }) => photoCredit !== first)
  await advance(3_000)
  expect(shown()).toHaveLength(1)
  uploads = all
  await advance(3_000)
  expect(await watch(120_000)).toContain(first)
  const pictures = [...document.querySelectorAll('figure img')].map(
    (image) => image.getAttribute('src') ?? '',
  )
  expect(pictures).toHaveLength(1)
  expect(objectUrls).toEqual(new Set([...objectUrls, ...pictures]))
})

/** Which credits are on the wall within `ms`, looked at four times a second. */
const watch = async (ms: number): Promise<Set<string | null>> => {
  const seen = new Set<string | null>()
  for (let passed = 0; passed < ms; passed += 250) {
    await advance(250)
    for (const credit of shown()) seen.add(credit)
  }
  return seen
}
/** So many that most are not among those that each poll asks for. */
const manyUploads = (): GalleryUpload[] => Array.from({ length: 70 }, (_, index) => upload(70 - index))
const hide = (...numbers: number[]): void => {
  uploads = uploads.filter(({ _id }) => !numbers.includes(Number(_id)))
}

test('When a photo is hidden without live updates, then it is not shown any more, not even for a moment', async () => {
  uploads = manyUploads()
  renderPage(`/wall/${EVENT_ID}?seconds=3#secret`, Routes)
  await advance(1_000)
  const [first] = shown()
  const others = [5, 6, 7, 8].filter((number) => `Guest ${number}` !== first)
  hide(...others)
  const seen = await watch(70 * 3_000)
  expect(seen.size).toBeGreaterThan(60)
  for (const number of others) expect(seen).not.toContain(`Guest ${number}`)
})

test('When live updates were missed, then what was hidden meanwhile is not shown any more', async () => {
  uploads = manyUploads()
  const send = startLive()
  renderPage(`/wall/${EVENT_ID}?seconds=3#secret`, Routes)
  await advance(1_000)
  send('reset')
  await advance(1_000)
  const [first] = shown()
  const others = [5, 6, 7, 8].filter((number) => `Guest ${number}` !== first)
  hide(...others)
  send('reset')
  const seen = await watch(70 * 3_000)
  expect(seen.size).toBeGreaterThan(60)
  for (const number of others) expect(seen).not.toContain(`Guest ${number}`)
})

test('When an old photo is approved, then it is shown within three seconds', async () => {
  const all = manyUploads()
  uploads = all.filter(({ photoCredit }) => photoCredit !== 'Guest 5')
  const send = startLive()
  renderPage(`/wall/${EVENT_ID}?seconds=60#secret`, Routes)
  await advance(10_000)
  uploads = all
  send('upload.ready', { uploadId: upload(5)._id })
  expect(await watch(3_000)).toContain('Guest 5')
})

test("When the projector's clock is wrong, then a new photo is shown within three seconds all the same", async () => {
  renderPage(`/wall/${EVENT_ID}?seconds=60#secret`, Routes)
  await advance(10_000)
  uploads = [upload(3, new Date(Date.now() - 3_600_000).toISOString()), ...uploads]
  expect(await watch(3_000)).toContain('Guest 3')
})

test('When the link ends and works again, then nothing of the wall is kept, and its photos are not new', async () => {
  uploads = manyUploads()
  renderPage(`/wall/${EVENT_ID}?seconds=60#secret`, Routes)
  await advance(2_000)
  hasEnded = true
  await advance(3_000)
  expect(screen.getByRole('heading', { name: 'This link no longer works' })).toBeTruthy()
  expect(objectUrls.size).toBe(0)
  hasEnded = false
  await advance(31_000)
  expect((await watch(10_000)).size).toBe(1)
})
