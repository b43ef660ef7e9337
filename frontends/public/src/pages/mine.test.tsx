import { afterEach, expect, test } from '@jest/globals'
import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { loadCatalogues } from '@confetti/i18n'
import { OwnUploads } from '../features/own-uploads/own-uploads.tsx'
import { galleryCatalogue } from '../gallery-texts.ts'
import { closeToasts, renderPage, stubApi } from '../test/harness.tsx'
import { Mine } from './mine.tsx'

await loadCatalogues([galleryCatalogue])

const event = {
  _id: '0123456789abcdef01234567',
  name: 'Garden wedding',
  startDate: '2027-06-12',
  endDate: '2027-06-13',
  uploadsOpen: true,
}
const KEY = 'k'.repeat(43)
const LINK = `http://shell.test/mine#${KEY}`
const EVENT = `GET /api/events/${event._id}`
const LIST = 'GET /api/guest/uploads'
const uploads = [
  {
    _id: '0'.repeat(24),
    originalName: 'dance.jpg',
    photoCredit: 'Anna',
    uploadedAt: '2027-06-12T20:00:00.000Z',
    contentType: 'image/jpeg',
    size: 1_000,
    status: 'ready',
    visibility: 'visible',
    thumbnailUrl: 'http://blob.test/0.webp',
  },
]

afterEach(() => {
  cleanup()
  closeToasts()
})

test('When a guest opens their own link, then all calls about their photos have its key, and leaving the page ends that', async () => {
  const { requestsTo } = stubApi({
    'GET /api/guest/links': () => ({ body: { eventId: event._id } }),
    [EVENT]: () => ({ body: { ...event, event } }),
    [LIST]: () => ({ body: { uploads } }),
    [`DELETE /api/guest/uploads/${uploads[0]?._id ?? ''}`]: () => ({ body: { message: '' } }),
  })
  renderPage(`/mine#${KEY}`, Mine)
  const keysOf = (call: string) => requestsTo(call).map(({ ownKey }) => ownKey)
  await screen.findByAltText('dance.jpg')
  expect(screen.getByRole('heading', { name: event.name })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Continue on another device' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Delete dance.jpg' }))
  for (const call of ['GET /api/guest/links', LIST, `DELETE /api/guest/uploads/${uploads[0]?._id ?? ''}`])
    await waitFor(() => expect(new Set(keysOf(call))).toEqual(new Set([KEY])))
  cleanup()
  renderPage(`/upload?eventId=${event._id}`, () => (
    <OwnUploads eventId={event._id} hasGallery sentCount={0} />
  ))
  await waitFor(() => expect(keysOf(LIST).at(-1)).toBeUndefined())
})

test('When an own link has ended, then the page says what to do', async () => {
  stubApi({
    'GET /api/guest/links': () => ({
      status: 404,
      body: { message: 'This link has ended.', code: 'own_link_ended', requestId: '' },
    }),
  })
  renderPage(`/mine#${KEY}`, Mine)
  await screen.findByRole('heading', { name: 'This link has ended.' })
  expect(screen.getByText('Create a new one on the device that the photos were sent from.')).toBeTruthy()
})

test('When a guest continues on another device, then the page shows a link, copies it, and ends all links', async () => {
  const { requestsTo } = stubApi({
    [LIST]: () => ({ body: { uploads } }),
    'POST /api/guest/links': () => ({ status: 201, body: { url: LINK } }),
    'DELETE /api/guest/links': () => ({ body: { message: '' } }),
  })
  const user = userEvent.setup()
  renderPage(`/upload?eventId=${event._id}`, () => (
    <OwnUploads eventId={event._id} hasGallery sentCount={0} />
  ))
  const open = await screen.findByRole('button', { name: 'Continue on another device' })
  await user.click(open)
  await screen.findByText(LINK)
  expect(screen.getByTitle('QR code of the link to your photos')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Copy link' }))
  expect(await navigator.clipboard.readText()).toBe(LINK)
  await user.click(screen.getByRole('button', { name: 'End all links' }))
  await screen.findByText('The links have ended. They open nothing anymore.')
  expect(requestsTo('DELETE /api/guest/links')).toHaveLength(1)
  await waitFor(() => expect(document.activeElement).toBe(open))
})
