import { expect, test } from '@jest/globals'
import { screen, within } from '@testing-library/react'
import { formatDay } from '@confetti/ui/day'
import { EventDetails } from '../../../pages/event-details.tsx'
import { stubApi, eventFixture, renderPage, type StubResponse } from '../../../test/harness.tsx'

const EVENT = `GET /api/events/${eventFixture._id}`
const QR_CODE = `POST /api/events/${eventFixture._id}/qrcode`
const page = { path: '/events/:eventId', Page: EventDetails }
const at = `/events/${eventFixture._id}`
const event = (): StubResponse => ({ body: { ...eventFixture, event: eventFixture } })
const qrCode = (): StubResponse => ({
  body: { qrCodeDataUrl: 'data:image/png;base64,QUJD', uploadUrl: eventFixture.uploadUrl },
})
const failed = (message: string, status = 500): StubResponse => ({ status, body: { message, code: 'x' } })
const notices = () => within(screen.getByRole('region', { name: 'Notifications (F8)' }))

test('When the page loads, then it shows Loading..., and then the event, its QR code and its link', async () => {
  stubApi({ [EVENT]: event, [QR_CODE]: qrCode })
  renderPage(at, page)
  expect(screen.getByText('Loading...')).toBeTruthy()

  await screen.findByRole('heading', { level: 1, name: 'Garden wedding' })
  expect(screen.queryByText('Loading...')).toBeNull()
  for (const text of ['Dinner in the barn.', formatDay('2027-06-12'), formatDay('2027-06-14'), 'QR Code'])
    expect(screen.getByText(text)).toBeTruthy()

  const image = await screen.findByRole('img', { name: /QR code/ })
  expect(image.getAttribute('src')).toBe('data:image/png;base64,QUJD')
  const link = screen.getByRole('link', { name: new RegExp('opens in a new tab') })
  expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([eventFixture.uploadUrl, '_blank'])
})

test('When the user is an admin, then the page links to the uploads', async () => {
  stubApi({ [EVENT]: event, [QR_CODE]: qrCode })
  renderPage(at, page)
  const link = await screen.findByRole('link', { name: 'View Event Uploads' })
  expect(link.getAttribute('href')).toBe(`/admin/event-uploads/${eventFixture._id}`)
})

test('When the user is not an admin, then the page does not link to the uploads', async () => {
  stubApi({ [EVENT]: event, [QR_CODE]: qrCode })
  renderPage(at, { ...page, role: 'user' })
  await screen.findByRole('heading', { level: 1, name: 'Garden wedding' })
  for (const name of ['View Event Uploads', 'Settings', 'Edit'])
    expect(screen.queryByRole('link', { name })).toBeNull()
})

test('When the event fails to load, then a notice says so, and Retry loads it', async () => {
  let isDown = true
  stubApi({ [EVENT]: () => (isDown ? failed('Broken.') : event()), [QR_CODE]: qrCode })
  const user = renderPage(at, page)
  await notices().findByText('Failed to fetch event details.')
  isDown = false
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  await screen.findByRole('heading', { level: 1, name: 'Garden wedding' })
  expect(document.activeElement).not.toBe(document.body)
})

test('When the event does not exist, then the page says so and links to all events', async () => {
  stubApi({ [EVENT]: () => failed('Event not found.', 404) })
  renderPage(at, page)
  await screen.findByRole('heading', { level: 1, name: 'This event does not exist.' })
  expect(screen.getByRole('link', { name: 'See all events' }).getAttribute('href')).toBe('/events')
})

test('When only the QR code fails, then the event shows, and Retry loads the code', async () => {
  let isDown = true
  stubApi({ [EVENT]: event, [QR_CODE]: () => (isDown ? failed('No codes today.') : qrCode()) })
  const user = renderPage(at, page)
  await notices().findByText('No codes today.')
  expect(screen.getByRole('heading', { level: 1, name: 'Garden wedding' })).toBeTruthy()
  isDown = false
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  await screen.findByRole('img', { name: /QR code/ })
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'QR Code' }))
})
