import { beforeEach, expect, test } from '@jest/globals'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { Upload } from '@confetti/contracts'
import { EventUploads } from '../../pages/event-uploads.tsx'
import { stubApi, eventFixture, renderPage, type StubResponse } from '../../test/harness.tsx'

const PAGE = `/admin/event-uploads/${eventFixture._id}`
const EVENT = `GET /api/events/${eventFixture._id}`
const UPLOADS = `GET /api/admin/uploads/event/${eventFixture._id}`
const ARCHIVES = `POST /api/admin/uploads/event/${eventFixture._id}/archives`
const page = { path: '/admin/event-uploads/:eventId?', Page: EventUploads }

const upload = (name: string, photoCredit: string): Upload => ({
  _id: name,
  eventId: eventFixture._id,
  url: `http://blob.test/${name}`,
  filename: `${eventFixture._id}/${name}`,
  originalName: name,
  photoCredit,
  uploadedAt: '2027-06-12T20:00:00.000Z',
  contentType: 'image/jpeg',
  size: 1_000,
  sha256: 'a'.repeat(64),
  status: 'ready',
  visibility: 'visible',
})
const threeUploads: StubResponse = {
  body: {
    uploads: [upload('c.jpg', 'Table 4'), upload('b.jpg', 'The band'), upload('a.jpg', 'Table 4')],
  },
}

beforeEach(() => {
  cleanup()
  window.scrollTo = () => undefined
})

const open = async (remove: () => StubResponse) => {
  const server = stubApi({
    [EVENT]: () => ({ body: { ...eventFixture, event: eventFixture } }),
    [UPLOADS]: () => threeUploads,
    'DELETE /api/admin/uploads/b.jpg': remove,
  })
  const user = renderPage(PAGE, page)
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

test('When a deletion is confirmed, then the upload leaves the list, with a notice', async () => {
  const { press, requestsTo } = await open(() => ({ body: { message: 'Upload deleted successfully' } }))
  await press('Delete')
  expect(await screen.findByText('Upload deleted successfully')).toBeTruthy()
  await waitFor(() => expect(names()).toEqual(['View c.jpg', 'View a.jpg']))
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(requestsTo('DELETE /api/admin/uploads/b.jpg')).toHaveLength(1)
})

test('When a deletion is cancelled, then nothing is sent, and the list stays', async () => {
  const { press, requestsTo } = await open(() => ({ body: {} }))
  await press('Cancel')
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(requestsTo('DELETE /api/admin/uploads/b.jpg')).toHaveLength(0)
  expect(names()).toHaveLength(3)
})

test('When an upload is deleted in its large view, then that closes, and the dialog asks as ever', async () => {
  const { press } = await open(() => ({ body: {} }))
  await press('Cancel')
  await press('View b.jpg')
  const large = within(await screen.findByRole('dialog', { name: 'b.jpg' }))
  fireEvent.click(await large.findByRole('button', { name: 'Delete b.jpg' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.getByRole('alertdialog', { name: 'Confirm Deletion' })).toBeTruthy()
  await press('Cancel')
  expect(names()).toHaveLength(3)
})

test('When selected uploads are deleted, then the dialog says how many, and all leave the list', async () => {
  const { requestsTo } = stubApi({
    [EVENT]: () => ({ body: eventFixture }),
    [UPLOADS]: () => threeUploads,
    'DELETE /api/admin/uploads/c.jpg': () => ({ body: { message: 'Upload deleted successfully' } }),
    'DELETE /api/admin/uploads/a.jpg': () => ({
      status: 404,
      body: { message: 'Gone.', code: 'upload_not_found' },
    }),
  })
  const user = renderPage(PAGE, page)
  await user.click(await screen.findByRole('button', { name: 'Select' }))
  await user.click(screen.getByRole('checkbox', { name: 'c.jpg from Table 4' }))
  await user.click(screen.getByRole('button', { name: 'Select all of Table 4' }))
  await user.click(screen.getByRole('button', { name: 'Delete 2' }))
  expect(
    screen.getByText('Are you sure you want to delete 2 uploads? This action cannot be undone.'),
  ).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('2 uploads deleted')).toBeTruthy()
  await waitFor(() => expect(screen.getAllByRole('checkbox')).toHaveLength(1))
  expect(requestsTo('DELETE /api/admin/uploads/b.jpg')).toHaveLength(0)
})

test('When some of many cannot be deleted, then the others are, and a notice says how many and which', async () => {
  stubApi({
    [EVENT]: () => ({ body: eventFixture }),
    [UPLOADS]: () => threeUploads,
    'DELETE /api/admin/uploads/c.jpg': () => ({ status: 500, body: { message: 'Try later.', code: 'x' } }),
    'DELETE /api/admin/uploads/b.jpg': () => ({ body: { message: 'Upload deleted successfully' } }),
    'DELETE /api/admin/uploads/a.jpg': () => ({ status: 500, body: { message: 'Try later.', code: 'x' } }),
  })
  const user = renderPage(PAGE, page)
  await user.click(await screen.findByRole('button', { name: 'Select' }))
  for (const name of ['c.jpg from Table 4', 'b.jpg from The band', 'a.jpg from Table 4'])
    await user.click(screen.getByRole('checkbox', { name }))
  await user.click(screen.getByRole('button', { name: 'Delete 3' }))
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('2 files could not be deleted: c.jpg, a.jpg')).toBeTruthy()
  expect(screen.getByText('Try later.')).toBeTruthy()
  await waitFor(() => expect(screen.getAllByRole('checkbox')).toHaveLength(2))
})

test('When the upload does not exist any more, then it leaves the list', async () => {
  const { press } = await open(() => ({
    status: 404,
    body: { message: 'Upload not found.', code: 'upload_not_found' },
  }))
  await press('Delete')
  await waitFor(() => expect(names()).toEqual(['View c.jpg', 'View a.jpg']))
})

test('When a deletion fails, then the server’s message is shown, and the upload stays', async () => {
  const { press } = await open(() => ({ status: 500, body: { message: 'Try later, please.', code: 'x' } }))
  await press('Delete')
  expect(await screen.findByText('Try later, please.')).toBeTruthy()
  expect(names()).toHaveLength(3)
})

test('When nothing has been uploaded, then the page shows the upload link, and Download All says so', async () => {
  stubApi({
    [EVENT]: () => ({ body: { ...eventFixture, event: eventFixture } }),
    [UPLOADS]: () => ({ body: { uploads: [] } }),
  })
  const user = renderPage(PAGE, page)
  expect(screen.getByText('Loading uploads...')).toBeTruthy()
  expect(await screen.findByText('No uploads found for this event.')).toBeTruthy()
  const link = await screen.findByRole('link', { name: eventFixture.uploadUrl })
  expect(link.getAttribute('target')).toBe('_blank')
  await user.click(screen.getByRole('button', { name: 'Download All' }))
  expect(await screen.findByText('No files to download.')).toBeTruthy()
})

test('When everything is downloaded, then the link is requested with the chosen folders, and a failure is shown', async () => {
  const { requestsTo } = stubApi({
    [EVENT]: () => ({ body: eventFixture }),
    [UPLOADS]: () => threeUploads,
    [ARCHIVES]: () => ({ status: 503, body: { message: 'The server is busy.', code: 'x' } }),
  })
  const user = renderPage(PAGE, page)
  await user.click(await screen.findByRole('button', { name: 'Download' }))
  expect(screen.getByRole('button', { name: 'Download everything: 3 files, 0.1 MB' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'A folder for each guest' }))
  expect(await screen.findByText('The server is busy.')).toBeTruthy()
  expect(requestsTo(ARCHIVES).map(({ body }) => body)).toEqual([{ folders: 'credit' }])
})

test('When uploads are selected, then the link is requested for them', async () => {
  const { requestsTo } = stubApi({
    [EVENT]: () => ({ body: eventFixture }),
    [UPLOADS]: () => threeUploads,
    [ARCHIVES]: () => ({ status: 503, body: { message: 'The server is busy.', code: 'x' } }),
  })
  const user = renderPage(PAGE, page)
  await user.click(await screen.findByRole('button', { name: 'Select' }))
  await user.click(screen.getByRole('checkbox', { name: 'b.jpg from The band' }))
  await user.click(screen.getByRole('button', { name: 'Download 1 selected' }))
  expect(await screen.findByText('The server is busy.')).toBeTruthy()
  expect(requestsTo(ARCHIVES).map(({ body }) => body)).toEqual([{ uploadIds: ['b.jpg'], folders: 'none' }])
})

test('When the page opens, then it links to its event', async () => {
  stubApi({ [EVENT]: () => ({ body: eventFixture }), [UPLOADS]: () => threeUploads })
  renderPage(PAGE, page)
  await screen.findByText('Garden wedding · 3 files from 2 guests')
  expect(screen.getByRole('link', { name: 'Event details' }).getAttribute('href')).toBe(
    `/events/${eventFixture._id}`,
  )
})

test('When the page opens, then the batch size is 50, and other sizes can be selected', async () => {
  stubApi({ [EVENT]: () => ({ body: eventFixture }), [UPLOADS]: () => threeUploads })
  const user = renderPage(PAGE, page)
  const chosen = () =>
    within(screen.getByRole('group', { name: 'Batch size' }))
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

test('When the list fails to load, then a toast and the page say so, and Retry loads it', async () => {
  let isBusy = true
  stubApi({
    [EVENT]: () => ({ body: eventFixture }),
    [UPLOADS]: () =>
      isBusy ? { status: 503, body: { message: 'The server is busy.', code: 'x' } } : threeUploads,
  })
  const user = renderPage(PAGE, page)
  const retry = await screen.findByRole('button', { name: 'Retry' })
  expect(screen.getAllByText('The server is busy.')).toHaveLength(2)
  isBusy = false
  await user.click(retry)
  await waitFor(() => expect(names()).toHaveLength(3))
  expect(document.activeElement).not.toBe(document.body)
})

test('When the event does not exist, then the page says so, and links to all events', async () => {
  const notFound = { status: 404, body: { message: 'Event not found.', code: 'event_not_found' } }
  stubApi({ [EVENT]: () => notFound, [UPLOADS]: () => notFound })
  renderPage(PAGE, page)
  expect(await screen.findByRole('heading', { name: 'This event does not exist.' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'See all events' }).getAttribute('href')).toBe('/events')
  expect(screen.queryByRole('button', { name: 'Download All' })).toBeNull()
})

test('When the address has no event id, then the page says so', () => {
  stubApi({})
  renderPage('/admin/event-uploads', page)
  expect(screen.getByText('Event ID is missing.')).toBeTruthy()
})
