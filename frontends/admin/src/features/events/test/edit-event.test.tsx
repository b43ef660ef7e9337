import { beforeEach, expect, test } from '@jest/globals'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { EditEvent } from '../../../pages/edit-event.tsx'
import { stubApi, eventFixture, renderPage, type StubResponse } from '../../../test/harness.tsx'

const path = `/api/events/${eventFixture._id}`
const EVENT = `GET ${path}`
const UPDATE = `PATCH ${path}`
const USERS = 'GET /api/users'
const at = `/events/${eventFixture._id}/edit`
const page = { path: '/events/:eventId/edit', Page: EditEvent }
const organiser = eventFixture.eventFor
const helper = { _id: '66aa0000000000000000000b', email: 'helper@confetti.test' }
const organised = { ...eventFixture, organisers: [organiser] }

const event = (): StubResponse => ({ body: { ...organised, event: organised } })
const users = (): StubResponse => ({ body: [organiser, helper].map((user) => ({ ...user, role: 'user' })) })
const updated = (changes: unknown): StubResponse => ({
  body: { message: 'Event changed successfully', event: { ...organised, ...(changes as object) } },
})
const notices = () => within(screen.getByRole('region', { name: 'Notifications (F8)' }))
const nameField = () => screen.findByLabelText<HTMLInputElement>('Event Name')
const saveButton = () => screen.getByRole('button', { name: 'Save' })
const describedBy = (field: Element) =>
  document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent

beforeEach(() => sessionStorage.clear())

test('When the name is changed, then only the name is sent, and the event is shown', async () => {
  const { requestsTo } = stubApi({ [EVENT]: event, [USERS]: users, [UPDATE]: updated })
  const user = renderPage(at, page)
  const field = await nameField()
  expect(field.value).toBe('Garden wedding')
  await user.type(field, ' party')
  await user.click(saveButton())
  await notices().findByText('Event saved')
  expect(requestsTo(UPDATE).map(({ body }) => body)).toEqual([{ name: 'Garden wedding party' }])
  expect(await screen.findByText('Another page')).toBeTruthy()
  expect(location.pathname).toBe(`/events/${eventFixture._id}`)
})

test('When nothing has changed, then Save sends nothing', async () => {
  const { requestsTo } = stubApi({ [EVENT]: event, [USERS]: users })
  const user = renderPage(at, page)
  await nameField()
  await user.click(saveButton())
  await screen.findByText('Another page')
  expect(requestsTo(UPDATE)).toEqual([])
})

test('When organisers are added and removed, then their ids are sent in order', async () => {
  const { requestsTo } = stubApi({ [EVENT]: event, [USERS]: users, [UPDATE]: () => updated({}) })
  const user = renderPage(at, page)
  await screen.findByRole('option', { name: helper.email })
  const select = screen.getByLabelText('Add an organiser')
  expect(within(select).queryByRole('option', { name: organiser.email })).toBeNull()
  await user.selectOptions(select, helper.email)
  await user.click(screen.getByRole('button', { name: 'Add' }))
  await user.click(screen.getByRole('button', { name: `Remove ${organiser.email}` }))
  await user.click(saveButton())
  await notices().findByText('Event saved')
  expect(requestsTo(UPDATE).map(({ body }) => body)).toEqual([{ organisers: [helper._id] }])
})

test('When all organisers are removed, then the field says that one is needed, and nothing is sent', async () => {
  const { requestsTo } = stubApi({ [EVENT]: event, [USERS]: users })
  const user = renderPage(at, page)
  await user.click(await screen.findByRole('button', { name: `Remove ${organiser.email}` }))
  await user.click(saveButton())
  const select = screen.getByLabelText('Add an organiser')
  await waitFor(() => expect(document.activeElement).toBe(select))
  expect(describedBy(select)).toBe('Choose at least one organiser.')
  expect(requestsTo(UPDATE)).toEqual([])
})

test('When the server rejects the dates or organisers, then the messages are at their fields, and the edits stay', async () => {
  const details = [
    { field: 'endDate', message: 'The end date is before the start date.' },
    { field: 'organisers.1', message: 'The assigned user does not exist.' },
  ]
  const rejected = { status: 400, body: { message: details[0]?.message, code: 'invalid', details } }
  stubApi({ [EVENT]: event, [USERS]: users, [UPDATE]: () => rejected })
  const user = renderPage(at, page)
  await user.type(await nameField(), '!')
  await user.click(saveButton())
  const select = screen.getByLabelText('Add an organiser')
  await waitFor(() => expect(describedBy(select)).toBe('The assigned user does not exist.'))
  expect(screen.getAllByText('The end date is before the start date.').length).toBeGreaterThan(0)
  expect(document.activeElement?.hasAttribute('aria-invalid')).toBe(true)
  expect((await nameField()).value).toBe('Garden wedding!')
})

test('When the page is left with unsaved changes, then they are there again, and Discard removes them', async () => {
  stubApi({ [EVENT]: event, [USERS]: users })
  const user = renderPage(at, page)
  await user.clear(await screen.findByLabelText('Description'))
  cleanup()
  renderPage(at, page)
  expect((await screen.findByLabelText<HTMLTextAreaElement>('Description')).value).toBe('')
  await user.click(screen.getByRole('button', { name: 'Discard changes' }))
  expect(screen.getByLabelText<HTMLTextAreaElement>('Description').value).toBe('Dinner in the barn.')
  expect(sessionStorage).toHaveLength(0)
})

test('When the event does not exist, then the page says so', async () => {
  stubApi({ [EVENT]: () => ({ status: 404, body: { message: 'No.', code: 'event_not_found' } }) })
  renderPage(at, page)
  expect(await screen.findByRole('heading', { name: 'This event does not exist.' })).toBeTruthy()
})

test('When the event fails to load, then Retry loads it', async () => {
  let isDown = true
  const broken = { status: 500, body: { message: 'Broken.', code: 'x' } }
  stubApi({ [EVENT]: () => (isDown ? broken : event()), [USERS]: users })
  const user = renderPage(at, page)
  const retry = await screen.findByRole('button', { name: 'Retry' })
  isDown = false
  await user.click(retry)
  expect((await nameField()).value).toBe('Garden wedding')
  expect(document.activeElement).not.toBe(document.body)
})
