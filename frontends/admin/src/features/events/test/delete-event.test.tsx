import { expect, test } from '@jest/globals'
import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { MB } from '@confetti/contracts'
import { EditEvent } from '../../../pages/edit-event.tsx'
import { stubApi, eventFixture, renderPage, type StubResponse } from '../../../test/harness.tsx'

const EVENT = `GET /api/events/${eventFixture._id}`
const DELETE = `DELETE /api/events/${eventFixture._id}`
const UPLOADS = `GET /api/admin/uploads/event/${eventFixture._id}`
const at = `/events/${eventFixture._id}/edit`
const page = { path: '/events/:eventId/edit', Page: EditEvent }

const event = (): StubResponse => ({ body: { ...eventFixture, event: eventFixture } })
const users = (): StubResponse => ({ body: [] })
const uploads = (): StubResponse => ({
  body: { uploads: [], total: { files: 214, guests: 38, bytes: 3.2 * 1_024 * MB } },
})
const deleted = (): StubResponse => ({ body: { message: 'Event deleted' } })
const handlers = { [EVENT]: event, 'GET /api/users': users, [UPLOADS]: uploads, [DELETE]: deleted }

const openDialog = async (user: UserEvent) => {
  await user.click(await screen.findByRole('button', { name: 'Delete event' }))
  return within(await screen.findByRole('alertdialog', { name: 'Delete Garden wedding?' }))
}
const confirm = async (user: UserEvent, dialog: ReturnType<typeof within>, name: string): Promise<void> => {
  const field = dialog.getByLabelText("Type the event's name to confirm")
  await user.clear(field)
  await user.type(field, name)
  await user.click(dialog.getByRole('button', { name: 'Delete event' }))
}

test('When an event is to be deleted, then the dialog shows what goes, and asks for the name of the event', async () => {
  const { requestsTo } = stubApi(handlers)
  const user = renderPage(at, page)
  const dialog = await openDialog(user)
  expect(await dialog.findByText('214 files from 38 guests, 3.2 GB')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Delete event' }))
  await confirm(user, dialog, 'Garden Wedding')
  expect(requestsTo(DELETE)).toEqual([])

  await confirm(user, dialog, 'Garden wedding')
  await screen.findByText('Event deleted')
  expect(await screen.findByText('Another page')).toBeTruthy()
  expect(location.pathname).toBe('/events')
  expect(requestsTo(DELETE)).toHaveLength(1)
})

test('When the deletion fails, then the dialog says why, and it can be confirmed again', async () => {
  let isDown = true
  const busy = { status: 503, body: { message: 'The server is busy.', code: 'x' } }
  const { requestsTo } = stubApi({ ...handlers, [DELETE]: () => (isDown ? busy : deleted()) })
  const user = renderPage(at, page)
  const dialog = await openDialog(user)
  await confirm(user, dialog, 'Garden wedding')
  await dialog.findByText('The server is busy.')
  isDown = false
  await user.click(dialog.getByRole('button', { name: 'Delete event' }))
  await screen.findByText('Event deleted')
  expect(requestsTo(DELETE)).toHaveLength(2)
})

test('When somebody else has deleted the event already, then it counts as deleted', async () => {
  const missing = { status: 404, body: { message: 'Event not found.', code: 'event_not_found' } }
  stubApi({ ...handlers, [DELETE]: () => missing })
  const user = renderPage(at, page)
  await confirm(user, await openDialog(user), 'Garden wedding')
  await screen.findByText('Event deleted')
})

test('When the uploads cannot be counted, then the dialog says so, and Retry counts them', async () => {
  let isDown = true
  const busy = { status: 503, body: { message: 'The server is busy.', code: 'x' } }
  stubApi({ ...handlers, [UPLOADS]: () => (isDown ? busy : uploads()) })
  const user = renderPage(at, page)
  const dialog = await openDialog(user)
  const retry = await dialog.findByRole('button', { name: 'Retry' })
  isDown = false
  await user.click(retry)
  expect(await dialog.findByText('214 files from 38 guests, 3.2 GB')).toBeTruthy()
})

test('When the deletion is cancelled, then nothing is deleted, and the button has the focus', async () => {
  const { requestsTo } = stubApi(handlers)
  const user = renderPage(at, page)
  await openDialog(user)
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Delete event' }))
  expect(requestsTo(DELETE)).toEqual([])
})
