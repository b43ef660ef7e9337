import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { GalleryUpload, GuestEvent, GuestUpload } from '@confetti/contracts'
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
const CREDITS = `${LIST}/credits`
const ARCHIVES = `POST /api/events/${event._id}/gallery/archives`
const reportsOf = (number: number): string =>
  `POST /api/events/${event._id}/gallery/${upload(number)._id}/reports`

/** An upload as the guest who sent it sees it. */
const own = (number: number): GuestUpload => ({
  ...upload(number),
  originalName: `photo-${number}.jpg`,
  contentType: 'image/jpeg',
  size: 1_000,
  status: 'ready',
  visibility: 'visible',
})
const OWN_LIST = 'GET /api/guest/uploads'
const DELETION = `DELETE /api/guest/uploads/${upload(2)._id}`
const RESTORATION = `POST /api/guest/uploads/${upload(2)._id}/restore`

let eventChanges: Partial<GuestEvent>
let uploads: GalleryUpload[]
let galleryIsOff: boolean
/** What the guest has sent from this device. */
let ownUploads: GuestUpload[]

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick', 'setImmediate'] })
  eventChanges = {}
  uploads = [3, 2, 1].map((number) => upload(number))
  galleryIsOff = false
  ownUploads = []
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
    [LIST]: (_, query) => {
      if (galleryIsOff) return { status: 404, body: { message: 'There is no gallery.', code: 'gallery_off' } }
      const credit = query.get('credit')
      const total = { files: uploads.length, guests: new Set(uploads.map((each) => each.photoCredit)).size }
      return {
        body: { uploads: uploads.filter((each) => credit === null || each.photoCredit === credit), total },
      }
    },
    [CREDITS]: () => ({
      body: { credits: uploads.map(({ photoCredit }) => ({ photoCredit, files: 1 })) },
    }),
    [ARCHIVES]: () => ({ status: 413, body: { message: 'This is too much.', code: 'too_large' } }),
    [reportsOf(2)]: () => ({ status: 201, body: { message: 'Reported' } }),
    [OWN_LIST]: () => ({ body: { uploads: ownUploads } }),
    [DELETION]: () => {
      uploads = uploads.filter(({ _id }) => _id !== upload(2)._id)
      return { body: { message: 'Deleted' } }
    },
    [RESTORATION]: () => {
      uploads = [upload(3), upload(2), upload(1)]
      return { body: { upload: own(2) } }
    },
  })
  // Who is signed in sees the gallery as a guest all the same.
  renderPage(at, Gallery, {
    signedIn: true,
    ...(ownUploads.length > 0 && { stored: { sentEvents: event._id } }),
  })
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

const saveable = (number: number) => upload(number, { saveUrl: `http://blob.test/${number}/copy.jpg` })

test('When the event lets guests save, then they choose photos by tapping them, and ask for an archive of those', async () => {
  eventChanges = { save: 'copy' }
  uploads = [saveable(3), saveable(2), upload(1)]
  const { user, requestsTo } = open()
  await user.click(await screen.findByRole('button', { name: 'Choose photos' }))
  for (const number of [3, 2, 1]) await user.click(photo(number))
  expect(screen.getByText('Chosen: 2')).toBeTruthy()
  // Its copy has not been made.
  expect(photo(1).getAttribute('aria-pressed')).toBe('false')
  expect(photo(1).getAttribute('aria-disabled')).toBe('true')
  await user.click(photo(2))
  expect(photo(3).getAttribute('aria-pressed')).toBe('true')
  expect(photo(2).getAttribute('aria-pressed')).toBe('false')
  expect(document.querySelector('dialog')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText("Couldn't save the photos")
  expect(requestsTo(ARCHIVES).map(({ body }) => body)).toEqual([{ uploadIds: [upload(3)._id] }])
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await user.click(screen.getByRole('button', { name: 'Save all' }))
  await waitFor(() => expect(requestsTo(ARCHIVES).at(-1)?.body).toEqual({}))
})

test('When a photo that can be saved is opened, then the viewer has a button for it, others have none', async () => {
  eventChanges = { save: 'copy' }
  uploads = [saveable(2), upload(1)]
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Photo by Guest 2' }))
  await openedViewer()
  expect(await viewer().findByRole('button', { name: 'Save' })).toBeTruthy()
  fireEvent.keyDown(document.querySelector('dialog') ?? document.body, { key: 'ArrowRight' })
  expect(viewer().queryByRole('button', { name: 'Save' })).toBeNull()
})

test('When the event lets nobody save, then nothing is said of it', async () => {
  open()
  await screen.findByRole('button', { name: 'Photo by Guest 3' })
  expect(screen.queryByRole('group', { name: 'Save photos' })).toBeNull()
})

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

/** Opens the large view of the guest's own photo, the second of three. */
const openOwnPhoto = async () => {
  ownUploads = [own(2)]
  const stub = open()
  await stub.user.click(await screen.findByRole('button', { name: 'Photo by Guest 2' }))
  await openedViewer()
  return stub
}
const isDeleted = 'photo-2.jpg was deleted. You can undo this for 30 seconds.'

test('When nothing was sent from this device, then nobody asks for own photos', async () => {
  const { requestsTo } = open()
  await screen.findByRole('button', { name: 'Photo by Guest 3' })
  expect(requestsTo(OWN_LIST)).toHaveLength(0)
})

test('When an own photo is deleted in its large view, then it keeps its place, and can be undone there', async () => {
  const { user, requestsTo } = await openOwnPhoto()
  expect(viewer().queryByRole('button', { name: 'Report' })).toBeNull()
  await user.click(await viewer().findByRole('button', { name: 'Delete photo-2.jpg' }))
  await advance(5_000)
  expect(requestsTo(DELETION)).toHaveLength(1)
  expect(viewer().getByText('2 of 3')).toBeTruthy()
  expect(viewer().getByText('Deleted. You can undo this for 30 seconds.')).toBeTruthy()
  expect(viewer().queryByAltText('Photo by Guest 2')).toBeNull()
  expect(document.activeElement?.textContent).toBe('Undo')

  await user.click(viewer().getByRole('button', { name: 'Undo deleting photo-2.jpg' }))
  await advance(0)
  expect(viewer().getByAltText('Photo by Guest 2')).toBeTruthy()
  expect(document.activeElement?.textContent).toBe('Delete')
  await advance(60_000)
  expect(viewer().getByText('2 of 3')).toBeTruthy()
  expect(viewer().getByAltText('Photo by Guest 2')).toBeTruthy()
})

test('When the large view of a deleted photo is closed, then its place in the grid leads to Undo until it is too late', async () => {
  const { user } = await openOwnPhoto()
  await user.click(await viewer().findByRole('button', { name: 'Delete photo-2.jpg' }))
  await user.click(viewer().getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: isDeleted })))
  expect(screen.getAllByRole('listitem')).toHaveLength(3)
  await user.click(screen.getByRole('button', { name: isDeleted }))
  expect((await openedViewer()).getByRole('button', { name: 'Undo deleting photo-2.jpg' })).toBeTruthy()
  await user.click(viewer().getByRole('button', { name: 'Close' }))
  await advance(30_000)
  expect(screen.getAllByRole('listitem')).toHaveLength(2)
  // The photo that has taken the place.
  expect(document.activeElement).toBe(photo(1))
})

test("When another guest's photo is open, then it can be reported, and not deleted", async () => {
  const { user } = await openOwnPhoto()
  await viewer().findByRole('button', { name: 'Delete photo-2.jpg' })
  await user.click(viewer().getByRole('button', { name: 'Next' }))
  expect(viewer().queryByRole('button', { name: /^Delete/ })).toBeNull()
  expect(viewer().getByRole('button', { name: 'Report' })).toBeTruthy()
})

const filterButton = (chosen: string) => screen.findByRole('button', { name: `Whose photos? ${chosen}` })
const labels = () =>
  screen.getAllByRole('button', { name: /^Photo by/ }).map((tile) => tile.getAttribute('aria-label'))

test('When the gallery is shown, then it says how many photos of how many people there are, also as they change', async () => {
  open()
  await screen.findByText('3 photos by 3 people')
  uploads = [upload(4, { photoCredit: 'Guest 3' }), ...uploads]
  await advance(2_500)
  await screen.findByText('4 photos by 3 people')
})

test('When a person is chosen, then only their photos show, until everyone is chosen again', async () => {
  const { user } = open()
  await user.click(await filterButton('Everyone'))
  const dialog = within(await screen.findByRole('dialog', { name: 'Whose photos?' }))
  expect(dialog.queryByRole('button', { name: 'Only mine' })).toBeNull()
  await user.click(await dialog.findByRole('button', { name: /^Guest 2/ }))
  await waitFor(() => expect(labels()).toEqual(['Photo by Guest 2']))
  expect(screen.getByText('3 photos by 3 people')).toBeTruthy()
  expect(document.activeElement).toBe(await filterButton('Guest 2'))

  await user.click(await filterButton('Guest 2'))
  const again = within(await screen.findByRole('dialog'))
  expect((await again.findByRole('button', { name: /^Guest 2/ })).getAttribute('aria-pressed')).toBe('true')
  await user.click(again.getByRole('button', { name: 'Everyone' }))
  await waitFor(() => expect(labels()).toHaveLength(3))
})

test('When the last photo of the chosen person goes, then the photos of everyone show', async () => {
  const { user } = open()
  await user.click(await filterButton('Everyone'))
  await user.click(await screen.findByRole('button', { name: /^Guest 2/ }))
  await waitFor(() => expect(labels()).toEqual(['Photo by Guest 2']))
  uploads = [upload(3), upload(1)]
  await advance(2_500)
  await waitFor(() => expect(labels()).toEqual(['Photo by Guest 3', 'Photo by Guest 1']))
  await filterButton('Everyone')
})

test('When guests choose only their own photos, then these show, and everyone again once they have deleted the last', async () => {
  ownUploads = [own(2)]
  const { user } = open()
  await user.click(await filterButton('Everyone'))
  await user.click(await screen.findByRole('button', { name: 'Only mine' }))
  await advance(0)
  await waitFor(() => expect(labels()).toEqual(['Photo by Guest 2']))
  await user.click(photo(2))
  await openedViewer()
  await user.click(viewer().getByRole('button', { name: 'Delete photo-2.jpg' }))
  await user.click(viewer().getByRole('button', { name: 'Close' }))
  expect(await screen.findByRole('button', { name: isDeleted })).toBeTruthy()
  ownUploads = []
  await advance(30_000)
  await waitFor(() => expect(labels()).toEqual(['Photo by Guest 3', 'Photo by Guest 1']))
  await filterButton('Everyone')
})

test('When the gallery shows only own photos, then all of those are saved, and not all of the event', async () => {
  eventChanges = { save: 'copy' }
  ownUploads = [own(2)]
  const { user, requestsTo } = open()
  await user.click(await filterButton('Everyone'))
  await user.click(await screen.findByRole('button', { name: 'Only mine' }))
  await advance(0)
  await user.click(await screen.findByRole('button', { name: 'Save all of mine' }))
  expect(screen.queryByRole('button', { name: 'Save all' })).toBeNull()
  await waitFor(() => expect(requestsTo(ARCHIVES).map(({ body }) => body)).toEqual([{ mine: true }]))
})

test('When there are many names, then they can be searched', async () => {
  uploads = Array.from({ length: 20 }, (_, index) => upload(20 - index))
  const { user } = open()
  await user.click(await filterButton('Everyone'))
  await user.type(await screen.findByRole('searchbox', { name: 'Search names' }), 'guest 13')
  const names = within(screen.getByRole('dialog')).getAllByRole('button', { name: /^Guest/ })
  expect(names.map(({ textContent }) => textContent)).toEqual(['Guest 131'])
  await user.type(screen.getByRole('searchbox'), 'x')
  expect(screen.getByText('No name matches.')).toBeTruthy()
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
