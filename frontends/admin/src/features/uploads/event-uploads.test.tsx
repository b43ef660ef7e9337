/** @jest-environment jsdom */
import { beforeEach, expect, test } from '@jest/globals'
import { cleanup, screen, waitFor } from '@testing-library/react'
import type { Upload } from '@confetti/contracts'
import { EventUploads } from '../../pages/event-uploads.tsx'
import { serve, someEvent, visit, type Served } from '../events/test/site.tsx'

const PAGE = `/admin/event-uploads/${someEvent._id}`
const EVENT = `GET /api/events/${someEvent._id}`
const UPLOADS = `GET /api/admin/uploads/event/${someEvent._id}`
const page = { path: '/admin/event-uploads/:eventId?', Page: EventUploads }

const upload = (name: string, photoCredit: string): Upload => ({
  _id: name,
  eventId: someEvent._id,
  url: `http://blob.test/${name}`,
  filename: `${someEvent._id}/${name}`,
  originalName: name,
  photoCredit,
  uploadedAt: '2027-06-12T20:00:00.000Z',
  contentType: 'image/jpeg',
  size: 1_000,
  sha256: 'a'.repeat(64),
  status: 'ready',
})
const three: Served = {
  body: {
    uploads: [upload('c.jpg', 'Table 4'), upload('b.jpg', 'The band'), upload('a.jpg', 'Table 4')],
  },
}

beforeEach(() => {
  cleanup()
  window.scrollTo = () => undefined
})

const open = async (remove: () => Served) => {
  const server = serve({
    [EVENT]: () => ({ body: { ...someEvent, event: someEvent } }),
    [UPLOADS]: () => three,
    'DELETE /api/admin/uploads/b.jpg': remove,
  })
  const user = visit(PAGE, page)
  await screen.findByText('Garden wedding · 3 files from 2 guests')
  await user.click(screen.getByRole('button', { name: 'Delete b.jpg' }))
  expect(screen.getByRole('alertdialog', { name: 'Confirm Deletion' })).toBeTruthy()
  expect(
    screen.getByText('Are you sure you want to delete this upload? This action cannot be undone.'),
  ).toBeTruthy()
  const press = (name: string) => user.click(screen.getByRole('button', { name }))
  return { ...server, press }
}
const names = (): string[] =>
  screen.getAllByRole('button', { name: /^View/ }).map((button) => button.getAttribute('aria-label') ?? '')

test('When a deletion is confirmed, then the upload leaves the list, which is told', async () => {
  const { press, asked } = await open(() => ({ body: { message: 'Upload deleted successfully' } }))
  await press('Delete')
  expect(await screen.findByText('Upload deleted successfully')).toBeTruthy()
  await waitFor(() => expect(names()).toEqual(['View c.jpg', 'View a.jpg']))
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(asked('DELETE /api/admin/uploads/b.jpg')).toHaveLength(1)
})

test('When a deletion is cancelled, then nothing is sent, and all stays', async () => {
  const { press, asked } = await open(() => ({ body: {} }))
  await press('Cancel')
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(asked('DELETE /api/admin/uploads/b.jpg')).toHaveLength(0)
  expect(names()).toHaveLength(3)
})

test('When the upload is gone already, then it leaves the list all the same', async () => {
  const { press } = await open(() => ({ status: 404, body: { message: 'Upload not found.', code: 'x' } }))
  await press('Delete')
  await waitFor(() => expect(names()).toEqual(['View c.jpg', 'View a.jpg']))
})

test('When a deletion fails, then the server says why, and the upload stays', async () => {
  const { press } = await open(() => ({ status: 500, body: { message: 'Try later, please.', code: 'x' } }))
  await press('Delete')
  expect(await screen.findByText('Try later, please.')).toBeTruthy()
  expect(names()).toHaveLength(3)
})

test('When nothing has been uploaded, then the page tells what to do, and there is nothing to download', async () => {
  serve({
    [EVENT]: () => ({ body: { ...someEvent, event: someEvent } }),
    [UPLOADS]: () => ({ body: { uploads: [] } }),
  })
  const user = visit(PAGE, page)
  expect(screen.getByText('Loading uploads...')).toBeTruthy()
  expect(await screen.findByText('No uploads found for this event.')).toBeTruthy()
  const link = await screen.findByRole('link', { name: someEvent.uploadUrl })
  expect(link.getAttribute('target')).toBe('_blank')
  await user.click(screen.getByRole('button', { name: 'Download All' }))
  expect(await screen.findByText('No files to download.')).toBeTruthy()
})

test('When the page opens, then it leads back to its event', async () => {
  serve({ [EVENT]: () => ({ body: someEvent }), [UPLOADS]: () => three })
  visit(PAGE, page)
  await screen.findByText('Garden wedding · 3 files from 2 guests')
  expect(screen.getByRole('link', { name: 'Event details' }).getAttribute('href')).toBe(
    `/events/${someEvent._id}`,
  )
})

test('When the page opens, then batches have 50 files, and other sizes can be chosen', async () => {
  serve({ [EVENT]: () => ({ body: someEvent }), [UPLOADS]: () => three })
  const user = visit(PAGE, page)
  const chosen = () =>
    screen
      .getAllByRole<HTMLInputElement>('radio')
      .map((radio) => [radio.parentElement?.textContent, radio.checked])
  expect(chosen()).toEqual([
    ['10', false],
    ['50', true],
    ['100', false],
  ])
  await user.click(screen.getByLabelText('10'))
  expect(chosen()[0]).toEqual(['10', true])
})

test('When the list fails, then that is told, and Retry brings it', async () => {
  let busy = true
  serve({
    [EVENT]: () => ({ body: someEvent }),
    [UPLOADS]: () => (busy ? { status: 503, body: { message: 'The server is busy.', code: 'x' } } : three),
  })
  const user = visit(PAGE, page)
  const again = await screen.findByRole('button', { name: 'Retry' })
  expect(screen.getAllByText('The server is busy.')).toHaveLength(2)
  busy = false
  await user.click(again)
  await waitFor(() => expect(names()).toHaveLength(3))
})

test('When there is no such event, then the page says so, and leads back to the events', async () => {
  const unknown = { status: 404, body: { message: 'Event not found.', code: 'event_not_found' } }
  serve({ [EVENT]: () => unknown, [UPLOADS]: () => unknown })
  visit(PAGE, page)
  expect(await screen.findByRole('heading', { name: 'This event does not exist.' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'See all events' }).getAttribute('href')).toBe('/events')
  expect(screen.queryByRole('button', { name: 'Download All' })).toBeNull()
})

test('When the address has no event, then that is said', () => {
  serve({})
  visit('/admin/event-uploads', page)
  expect(screen.getByText('Event ID is missing.')).toBeTruthy()
})
