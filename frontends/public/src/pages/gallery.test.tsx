import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { GalleryUpload, GuestEvent } from '@confetti/contracts'
import { renderPage, stubApi } from '../test/harness.tsx'
import { Gallery } from './gallery.tsx'

const event: GuestEvent = {
  _id: '0123456789abcdef01234567',
  name: 'Harbour summer fair',
  description: '',
  startDate: '2027-06-12',
  endDate: '2027-06-14',
  uploadsOpen: true,
  uploadsCloseAt: '2027-07-15T00:00:00.000Z',
  timeZone: 'Europe/Berlin',
  limits: { maxFileBytes: 524_288_000, types: ['image/jpeg'] },
  gallery: 'on',
}
const upload = (number: number, changes: Partial<GalleryUpload> = {}): GalleryUpload => ({
  _id: String(number).padStart(24, '0'),
  photoCredit: `Guest ${number}`,
  uploadedAt: new Date(Date.UTC(2027, 5, 12) + number * 1_000).toISOString(),
  width: 400,
  height: 300,
  thumbnailUrl: `http://blob.test/${number}/thumbnail.webp`,
  previewUrl: `http://blob.test/${number}/preview.webp`,
  ...changes,
})

const EVENT = `GET /api/events/${event._id}`
const LIST = `${EVENT}/gallery`
const reportsOf = (number: number): string =>
  `POST /api/events/${event._id}/gallery/${upload(number)._id}/reports`

let eventChanges: Partial<GuestEvent>
let uploads: GalleryUpload[]
let galleryIsOff: boolean

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick', 'setImmediate'] })
  eventChanges = {}
  uploads = [3, 2, 1].map((number) => upload(number))
  galleryIsOff = false
  window.scrollTo = () => undefined
  Object.defineProperty(HTMLElement.prototype, 'clientWidth', { value: 900, configurable: true })
})
afterEach(() => {
  cleanup()
  jest.useRealTimers()
})

const open = (at = `/gallery?eventId=${event._id}`) => {
  const stub = stubApi({
    [EVENT]: () => {
      const body = { ...event, ...eventChanges }
      return { body: { ...body, event: body } }
    },
    [LIST]: () =>
      galleryIsOff
        ? { status: 404, body: { message: 'There is no gallery.', code: 'gallery_off' } }
        : { body: { uploads } },
    [reportsOf(2)]: () => ({ status: 201, body: { message: 'Reported' } }),
  })
  // Who is signed in sees the gallery as a guest all the same.
  renderPage(at, Gallery, { signedIn: true })
  return { ...stub, user: userEvent.setup({ advanceTimers: (ms) => jest.advanceTimersByTime(ms) }) }
}
const advance = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms))
const photo = (number: number) => screen.getByRole('button', { name: `Photo by Guest ${number}` })
const viewer = () => within(document.querySelector<HTMLElement>('dialog[open]') ?? document.body)
/** The viewer, whose code is loaded when it is first opened. */
const openedViewer = async () => within(await screen.findByRole('dialog'))

test('When the gallery is open, then it shows all photos, and leads to the upload page', async () => {
  const { calls } = open()
  await screen.findByRole('button', { name: 'Photo by Guest 3' })
  expect(screen.getByRole('heading', { name: event.name })).toBeTruthy()
  expect(screen.getAllByRole('listitem')).toHaveLength(3)
  expect(screen.getByRole('link', { name: 'Send photos' }).getAttribute('href')).toBe(
    `/upload?eventId=${event._id}`,
  )
  expect(calls.every(({ authorization }) => authorization === undefined)).toBe(true)
})

test('When there are thousands of photos, then only those near the screen are in the document', async () => {
  uploads = Array.from({ length: 5_000 }, (_, index) => upload(5_000 - index))
  open()
  await screen.findByRole('button', { name: 'Photo by Guest 5000' })
  const tiles = screen.getAllByRole('listitem')
  expect(tiles.length).toBeLessThan(60)
  expect(tiles[0]?.getAttribute('aria-setsize')).toBe('5000')
})

test('When a photo is opened, then keys navigate, and the viewer shows credit and position', async () => {
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Photo by Guest 3' }))
  expect((await openedViewer()).getByText('1 of 3')).toBeTruthy()
  expect(viewer().getByText('Guest 3')).toBeTruthy()
  const box = document.querySelector('dialog') ?? document.body
  fireEvent.keyDown(box, { key: 'ArrowRight' })
  expect(viewer().getByAltText('Photo by Guest 2').getAttribute('src')).toBe(upload(2).previewUrl)
  fireEvent.keyDown(box, { key: 'End' })
  expect(viewer().getByText('3 of 3')).toBeTruthy()
  await user.click(viewer().getByRole('button', { name: 'Close' }))
  expect(document.querySelector('dialog')).toBeNull()
})

test.each([
  [{ takenAt: '2027-06-12T23:30:00Z', takenAtSource: 'container' }, 'Jun 13, 2027, 1:30 AM'],
  [{ takenAt: '2027-06-12T23:30:00-04:00', takenAtSource: 'exif' }, 'Jun 13, 2027, 5:30 AM'],
  [{ takenAt: '2027-06-12T12:00:00+02:00', takenAtSource: 'name' }, 'Around Jun 12, 2027, 12:00 PM'],
  [{ takenAt: '2027-06-12T12:00:00+02:00', takenAtSource: 'declared' }, 'Around Jun 12, 2027, 12:00 PM'],
  [{}, 'Jun 12, 2027, 2:00 AM'],
] as const)(
  'When an upload has %j, then the viewer has the time in the zone of the event',
  async (fields, time) => {
    uploads = [upload(1, fields)]
    open()
    fireEvent.click(await screen.findByRole('button', { name: 'Photo by Guest 1' }))
    expect((await openedViewer()).getByText((text) => text.replaceAll('\u202f', ' ') === time)).toBeTruthy()
  },
)

test('When a part of a photo is missing, then the viewer says so', async () => {
  uploads = [upload(1, { isDamaged: true })]
  open()
  fireEvent.click(await screen.findByRole('button', { name: 'Photo by Guest 1' }))
  expect((await openedViewer()).getByText('A part of this photo is missing.')).toBeTruthy()
})

test('When a photo is hidden, then it leaves the grid and the open viewer', async () => {
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Photo by Guest 2' }))
  await openedViewer()
  uploads = [upload(3), upload(1)]
  await advance(2_500)
  await viewer().findByText('This photo is no longer in the gallery.')
  expect(screen.queryByRole('button', { name: 'Photo by Guest 2', hidden: true })).toBeNull()
  fireEvent.keyDown(document.querySelector('dialog') ?? document.body, { key: 'ArrowRight' })
  expect(viewer().getByAltText('Photo by Guest 1')).toBeTruthy()
})

// Shortly after one of the rare refreshes.
const LONG_IDLE_MS = 5 * 60_000 + 3_000

test('When a photo is hidden that a guest has looked at for minutes, then it goes within three seconds', async () => {
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Photo by Guest 2' }))
  await openedViewer()
  await advance(LONG_IDLE_MS)
  uploads = [upload(3), upload(1)]
  await advance(2_600)
  expect(viewer().getByText('This photo is no longer in the gallery.')).toBeTruthy()
})

test('When a gallery is not used, then it is refreshed less often, until it is touched', async () => {
  const { requestsTo } = open()
  await screen.findByRole('button', { name: 'Photo by Guest 3' })
  await advance(LONG_IDLE_MS)
  const before = requestsTo(LIST).length
  await advance(60_000)
  expect(requestsTo(LIST).length - before).toBeLessThanOrEqual(6)
  fireEvent.pointerDown(document.body)
  uploads = [upload(4), ...uploads]
  await advance(2_600)
  expect(photo(4)).toBeTruthy()
})

test('When the page is looked at again, then the gallery is refreshed at once', async () => {
  const { requestsTo } = open()
  await screen.findByRole('button', { name: 'Photo by Guest 3' })
  await advance(LONG_IDLE_MS)
  await advance(60_000)
  // The least time since the last request has passed.
  let before = requestsTo(LIST).length
  while (requestsTo(LIST).length === before) await advance(500)
  await advance(3_000)
  before = requestsTo(LIST).length
  document.dispatchEvent(new Event('visibilitychange'))
  await advance(1)
  expect(requestsTo(LIST).length - before).toBe(1)
})

test('When an older photo is approved, then it shows at its place', async () => {
  const all = uploads
  uploads = [upload(3), upload(1)]
  open()
  await screen.findByRole('button', { name: 'Photo by Guest 3' })
  uploads = all
  await advance(2_500)
  await screen.findByRole('button', { name: 'Photo by Guest 2' })
})

test('When a photo arrives while the page is at the top, then it shows', async () => {
  open()
  await screen.findByRole('button', { name: 'Photo by Guest 3' })
  uploads = [upload(4), ...uploads]
  await advance(2_500)
  await screen.findByRole('button', { name: 'Photo by Guest 4' })
})

test('When a photo is reported, then the guest confirms it, and the viewer says thanks', async () => {
  const { user, requestsTo } = open()
  await user.click(await screen.findByRole('button', { name: 'Photo by Guest 2' }))
  await openedViewer()
  await user.click(viewer().getByRole('button', { name: 'Report' }))
  expect(requestsTo(reportsOf(2))).toHaveLength(0)
  await user.click(screen.getByRole('button', { name: 'Report it' }))
  await screen.findByText('Thanks. The organisers will check it.')
  expect(requestsTo(reportsOf(2))).toHaveLength(1)
  expect(viewer().getByText('2 of 3')).toBeTruthy()
})

test('When an upload is a video, then it loads when it is played; without a rendition a note says so', async () => {
  uploads = [
    upload(2, { durationSeconds: 65, videoUrl: 'http://blob.test/2/video.mp4' }),
    upload(1, { durationSeconds: 5 }),
  ]
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Video by Guest 2, 1:05' }))
  await openedViewer()
  const video = document.querySelector('video')
  expect(video?.getAttribute('preload')).toBe('none')
  expect(video?.getAttribute('src')).toBe('http://blob.test/2/video.mp4')
  fireEvent.keyDown(document.querySelector('dialog') ?? document.body, { key: 'ArrowRight' })
  expect(viewer().getByText("This video can't be played here.")).toBeTruthy()
})

test('When a picture fails to load, then its link is renewed', async () => {
  const { requestsTo } = open()
  await screen.findByRole('button', { name: 'Photo by Guest 3' })
  await advance(21_000)
  const before = requestsTo(LIST).length
  uploads = uploads.map((each) => ({ ...each, thumbnailUrl: `${each.thumbnailUrl}?fresh` }))
  fireEvent.error(photo(3).querySelector('img') ?? document.body)
  await waitFor(() => expect(requestsTo(LIST).length).toBeGreaterThan(before))
  await waitFor(() => expect(photo(3).querySelector('img')?.getAttribute('src')).toContain('?fresh'))
})

test('When a picture cannot be loaded for a moment, then it is tried again by the same link', async () => {
  open()
  await screen.findByRole('button', { name: 'Photo by Guest 3' })
  fireEvent.error(photo(3).querySelector('img') ?? document.body)
  expect(photo(3).querySelector('img')).toBeNull()
  await advance(16_000)
  expect(photo(3).querySelector('img')?.getAttribute('src')).toBe(upload(3).thumbnailUrl)
})

test('When the gallery opens later, then a countdown shows until it does', async () => {
  eventChanges = { revealAt: new Date(Date.now() + 90_000).toISOString() }
  const { requestsTo } = open()
  await screen.findByText('The gallery opens in')
  expect(screen.getByRole('timer').textContent).toContain('01 min')
  expect(requestsTo(LIST)).toHaveLength(0)
  await advance(95_000)
  await screen.findByRole('button', { name: 'Photo by Guest 3' })
})

test('When the event has no gallery, then the page says so', async () => {
  eventChanges = { gallery: 'off' }
  open()
  await screen.findByRole('heading', { name: 'No gallery here' })
})

test('When the server does not show the gallery yet, then the page shows it as soon as it does', async () => {
  galleryIsOff = true
  open()
  await screen.findByText(/^The gallery isn't open yet/)
  galleryIsOff = false
  await advance(20_000)
  await screen.findByRole('button', { name: 'Photo by Guest 3' })
})

test('When there are no photos, then the page says so', async () => {
  uploads = []
  open()
  await screen.findByText('No photos yet.')
})

test('When the link has no event, then the page says so', async () => {
  open('/gallery')
  await screen.findByRole('heading', { name: 'Which event is it?' })
})
