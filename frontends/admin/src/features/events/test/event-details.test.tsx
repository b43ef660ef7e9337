/** @jest-environment jsdom */
import { expect, test } from '@jest/globals'
import { screen, within } from '@testing-library/react'
import { formatDay } from '@confetti/ui/day'
import { EventDetails } from '../../../pages/event-details.tsx'
import { serve, someEvent, visit, type Served } from './site.tsx'

const EVENT = `GET /api/events/${someEvent._id}`
const QR_CODE = `POST /api/events/${someEvent._id}/qrcode`
const page = { path: '/events/:eventId', Page: EventDetails }
const at = `/events/${someEvent._id}`
const event = (): Served => ({ body: { ...someEvent, event: someEvent } })
const qrCode = (): Served => ({
  body: { qrCodeDataUrl: 'data:image/png;base64,QUJD', uploadUrl: someEvent.uploadUrl },
})
const failed = (message: string, status = 500): Served => ({ status, body: { message, code: 'x' } })
const notices = () => within(screen.getByRole('region', { name: 'Notifications (F8)' }))

test('When it has not come yet, then it says Loading...; then it shows the event, its code and its link', async () => {
  serve({ [EVENT]: event, [QR_CODE]: qrCode })
  visit(at, page)
  expect(screen.getByText('Loading...')).toBeTruthy()

  await screen.findByRole('heading', { level: 1, name: 'Garden wedding' })
  expect(screen.queryByText('Loading...')).toBeNull()
  for (const text of ['Dinner in the barn.', formatDay('2027-06-12'), formatDay('2027-06-14'), 'QR Code'])
    expect(screen.getByText(text)).toBeTruthy()

  const image = await screen.findByRole('img', { name: /QR code/ })
  expect(image.getAttribute('src')).toBe('data:image/png;base64,QUJD')
  const link = screen.getByRole('link', { name: new RegExp('opens in a new tab') })
  expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([someEvent.uploadUrl, '_blank'])
})

test('When an admin looks, then there is a way to the uploads', async () => {
  serve({ [EVENT]: event, [QR_CODE]: qrCode })
  visit(at, page)
  const link = await screen.findByRole('link', { name: 'View Event Uploads' })
  expect(link.getAttribute('href')).toBe(`/admin/event-uploads/${someEvent._id}`)
})

test('When somebody looks who is no admin, then there is no way to the uploads', async () => {
  serve({ [EVENT]: event, [QR_CODE]: qrCode })
  visit(at, { ...page, role: 'user' })
  await screen.findByRole('heading', { level: 1, name: 'Garden wedding' })
  expect(screen.queryByRole('link', { name: 'View Event Uploads' })).toBeNull()
})

test('When the event cannot be fetched, then that is said, and Retry fetches it', async () => {
  let down = true
  serve({ [EVENT]: () => (down ? failed('Broken.') : event()), [QR_CODE]: qrCode })
  const user = visit(at, page)
  await notices().findByText('Failed to fetch event details.')
  down = false
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  await screen.findByRole('heading', { level: 1, name: 'Garden wedding' })
})

test('When there is no such event, then it says so and leads to those that there are', async () => {
  serve({ [EVENT]: () => failed('Event not found.', 404) })
  visit(at, page)
  await screen.findByRole('heading', { level: 1, name: 'This event does not exist.' })
  expect(screen.getByRole('link', { name: 'See all events' }).getAttribute('href')).toBe('/events')
})

test('When the QR code alone fails, then the event is there, and Retry brings the code', async () => {
  let down = true
  serve({ [EVENT]: event, [QR_CODE]: () => (down ? failed('No codes today.') : qrCode()) })
  const user = visit(at, page)
  await notices().findByText('No codes today.')
  expect(screen.getByRole('heading', { level: 1, name: 'Garden wedding' })).toBeTruthy()
  down = false
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  await screen.findByRole('img', { name: /QR code/ })
})
