import { beforeEach, expect, test } from '@jest/globals'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { loadSettingsDraft } from '@confetti/album/settings/settings-form'
import { loadEdits } from '../event-draft.ts'
import { CreateEvent } from '../../../pages/create-event.tsx'
import { stubApi, eventFixture, renderPage, type StubResponse } from '../../../test/harness.tsx'

const USERS = 'GET /api/users'
const CREATE = 'POST /api/events'
const page = { path: '/events/create', Page: CreateEvent }
const organiser = { _id: eventFixture.eventFor._id, email: eventFixture.eventFor.email, role: 'user' }
const users = (): StubResponse => ({ body: [organiser] })
const created = (): StubResponse => ({ status: 201, body: { message: 'Event created', event: eventFixture } })

beforeEach(() => sessionStorage.clear())

const day = (date: number): string => {
  const now = new Date()
  const twoDigits = (part: number) => String(part).padStart(2, '0')
  return `${now.getFullYear()}-${twoDigits(now.getMonth() + 1)}-${twoDigits(date)}`
}
const pick = async (user: UserEvent, field: string, date: number): Promise<void> => {
  await user.click(screen.getByRole('button', { name: new RegExp(`^${field}`) }))
  const days = within(await screen.findByRole('grid')).getAllByText(String(date), { selector: 'button' })
  // The grid may show the same number again, for a day of the next month.
  await user.click(days[0] ?? document.body)
}
const fill = async (user: UserEvent, { end = 12 } = {}): Promise<void> => {
  await user.type(screen.getByLabelText('Event Name'), 'Garden wedding')
  await user.type(screen.getByLabelText('Description'), 'Dinner in the barn.')
  await screen.findByText(organiser.email, { selector: 'option' })
  await user.selectOptions(screen.getByLabelText('Assign to User'), organiser.email)
  await pick(user, 'Start Date', 10)
  await pick(user, 'End Date', end)
}
const send = (user: UserEvent) => user.click(screen.getByRole('button', { name: 'Create Event' }))
const notices = () => within(screen.getByRole('region', { name: 'Notifications (F8)' }))
const describedBy = (field: Element) =>
  document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent
const value = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value

test('When nothing is filled in, then a notice says so, the fields are marked, and nothing is sent', async () => {
  const { requestsTo } = stubApi({ [USERS]: users })
  const user = renderPage('/events/create', page)
  await user.type(screen.getByLabelText('Event Name'), '   ')
  await send(user)

  expect(notices().getByText('Please fill in all required fields including user.')).toBeTruthy()
  expect(notices().getByText('Error')).toBeTruthy()
  const marked = [...document.querySelectorAll('[aria-invalid="true"]')]
  expect(
    marked.map(
      (field) => field.getAttribute('aria-label') ?? (field as HTMLInputElement).labels?.[0]?.textContent,
    ),
  ).toEqual(['Event Name', 'Assign to User', 'Start Date, Pick a date', 'End Date, Pick a date'])
  expect(document.activeElement).toBe(screen.getByLabelText('Event Name'))
  expect(requestsTo(CREATE)).toEqual([])
})

test('When one field is missing, then only that field is marked and focused, until it is filled in', async () => {
  stubApi({ [USERS]: users, [CREATE]: created })
  const user = renderPage('/events/create', page)
  await user.type(screen.getByLabelText('Event Name'), 'Garden wedding')
  await pick(user, 'Start Date', 10)
  await pick(user, 'End Date', 12)
  await send(user)
  const select = screen.getByLabelText('Assign to User')
  expect([...document.querySelectorAll('[aria-invalid]')]).toEqual([select])
  expect(document.activeElement).toBe(select)

  await user.selectOptions(select, organiser.email)
  expect(document.querySelectorAll('[aria-invalid]')).toHaveLength(0)
})

test('When the form is complete, then it is sent, cleared, and links to the new event', async () => {
  const { requestsTo } = stubApi({ [USERS]: users, [CREATE]: created })
  const user = renderPage('/events/create', page)
  await user.type(screen.getByLabelText('Search users'), 'organiser')
  await fill(user)
  await send(user)

  await notices().findByText('Event created successfully')
  expect(requestsTo(CREATE).map(({ body }) => body)).toEqual([
    {
      name: 'Garden wedding',
      description: 'Dinner in the barn.',
      startDate: day(10),
      endDate: day(12),
      eventFor: organiser._id,
    },
  ])
  const cleared = ['Event Name', 'Description', 'Search users', 'Assign to User'].map(value)
  expect(cleared).toEqual(['', '', '', ''])
  expect(screen.getAllByText('Pick a date')).toHaveLength(2)
  expect(document.querySelectorAll('[aria-invalid]')).toHaveLength(0)
  const link = screen.getByRole('link', { name: 'See its QR code' })
  expect(link.getAttribute('href')).toBe(`/events/${eventFixture._id}`)
  expect(document.activeElement).toBe(link)
})

test('When the form is being sent, then it cannot be sent again', async () => {
  let respond: (response: StubResponse) => void = () => {}
  const { requestsTo } = stubApi({
    [USERS]: users,
    [CREATE]: () => new Promise((resolve) => (respond = resolve)),
  })
  const user = renderPage('/events/create', page)
  await fill(user)
  await send(user)
  const button = screen.getByRole('button', { name: 'Creating...' })
  expect(button.matches(':disabled')).toBe(true)
  await user.click(button)
  expect(requestsTo(CREATE)).toHaveLength(1)

  respond(created())
  const ready = await screen.findByRole('button', { name: 'Create Event' })
  expect(ready.matches(':disabled')).toBe(false)
})

test('When the server refuses, then its message is shown and the draft stays', async () => {
  stubApi({
    [USERS]: users,
    [CREATE]: () => ({
      status: 400,
      body: { message: 'The assigned user does not exist.', code: 'invalid' },
    }),
  })
  const user = renderPage('/events/create', page)
  await fill(user)
  await send(user)
  await notices().findByText('The assigned user does not exist.')
  expect(value('Event Name')).toBe('Garden wedding')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Create Event' }))
})

const formValues = async (): Promise<(string | null)[]> => {
  await screen.findByText(organiser.email, { selector: 'option' })
  const days = ['Start Date', 'End Date'].map((label) =>
    screen.getByRole('button', { name: new RegExp(`^${label}`) }).getAttribute('aria-label'),
  )
  return [value('Event Name'), value('Description'), value('Assign to User'), ...days]
}
const emptyForm = ['', '', '', 'Start Date, Pick a date', 'End Date, Pick a date']

test('When the page is left before the event is created, then the draft is restored, for its user only', async () => {
  stubApi({ [USERS]: users })
  await fill(renderPage('/events/create', page))
  const before = await formValues()
  expect(before.slice(0, 3)).toEqual(['Garden wedding', 'Dinner in the barn.', organiser._id])

  cleanup()
  renderPage('/events/create', { ...page, userId: 'u2' })
  expect(await formValues()).toEqual(emptyForm)
  cleanup()
  renderPage('/events/create', page)
  expect(await formValues()).toEqual(before)
})

test('When the event has been created, then the next form is empty', async () => {
  stubApi({ [USERS]: users, [CREATE]: created })
  const user = renderPage('/events/create', page)
  await fill(user)
  await send(user)
  await screen.findByRole('link', { name: 'See its QR code' })
  cleanup()
  renderPage('/events/create', page)
  expect(await formValues()).toEqual(emptyForm)
})

test('When the stored draft is invalid, then the form is empty', async () => {
  stubApi({ [USERS]: users })
  for (const stored of ['{"name":', 'null', '42', '{"name":1}', '{"name":"Garden wedding"}']) {
    sessionStorage.setItem('eventDraft:u1', stored)
    renderPage('/events/create', page)
    expect(await formValues()).toEqual(emptyForm)
    cleanup()
  }
})

test('When the start date is moved behind the end date, then the field shows it at once, and nothing is sent', async () => {
  const { requestsTo } = stubApi({ [USERS]: users, [CREATE]: created })
  const user = renderPage('/events/create', page)
  await fill(user)
  await pick(user, 'Start Date', 14)
  expect(screen.getByText('The end date is before the start date.')).toBeTruthy()
  await send(user)
  expect(notices().getByText('The end date is before the start date.')).toBeTruthy()
  expect(requestsTo(CREATE)).toEqual([])

  await pick(user, 'End Date', 14)
  await send(user)
  await waitFor(() => expect(requestsTo(CREATE)).toHaveLength(1))
})

test('When the server rejects fields, then their messages are at the fields, and the first has the focus', async () => {
  const details = [
    { field: 'description', message: 'The description is longer than 5000 characters.' },
    { field: 'eventFor', message: 'The assigned user does not exist.' },
  ]
  const rejected = { status: 400, body: { message: details[0]?.message, code: 'invalid', details } }
  stubApi({ [USERS]: users, [CREATE]: () => rejected })
  const user = renderPage('/events/create', page)
  await fill(user)
  await send(user)
  const [description, select] = ['Description', 'Assign to User'].map((label) => screen.getByLabelText(label))
  await waitFor(() => expect(document.activeElement).toBe(description))
  const marked = [...document.querySelectorAll('[aria-invalid]')]
  expect(marked).toEqual([description, select])
  expect(marked.map(describedBy)).toEqual(details.map(({ message }) => message))
  await user.type(screen.getByLabelText('Description'), '!')
  expect([...document.querySelectorAll('[aria-invalid]')]).toEqual([select])
})

test('When a text gets too long, then its field says so before it is sent', () => {
  stubApi({ [USERS]: users })
  renderPage('/events/create', page)
  const noteAfter = (label: string, text: string) => {
    fireEvent.change(screen.getByLabelText(label), { target: { value: text } })
    return describedBy(screen.getByLabelText(label))
  }
  expect(noteAfter('Event Name', '🎉'.repeat(200))).toBeUndefined()
  expect(noteAfter('Event Name', '🎉'.repeat(201))).toBe('The event name is longer than 200 characters.')
  expect(noteAfter('Description', 'x'.repeat(5_001))).toBe('The description is longer than 5000 characters.')
})

test('When the users fail to load, then a notice says so, and Retry loads them', async () => {
  let isDown = true
  stubApi({ [USERS]: () => (isDown ? { status: 500, body: { message: 'Broken.', code: 'x' } } : users()) })
  const user = renderPage('/events/create', page)
  await notices().findByText('Failed to fetch users.')
  isDown = false
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  await screen.findByText(organiser.email, { selector: 'option' })
  expect(document.activeElement).toBe(screen.getByLabelText('Assign to User'))
})

test('When there are no users, then the form says that the organiser has to register first', async () => {
  stubApi({ [USERS]: () => ({ body: [] }) })
  renderPage('/events/create', page)
  await screen.findByText(/The organiser has to register first/)
})

const helper = { _id: '66aa0000000000000000000b', email: 'helper@confetti.test', role: 'user' }
const UPDATE = `PATCH /api/events/${eventFixture._id}`
const addHelper = async (user: UserEvent): Promise<void> => {
  await user.selectOptions(screen.getByLabelText('Add an organiser'), helper.email)
  await user.click(screen.getByRole('button', { name: 'Add' }))
}

test('When the form opens, then its time zone is that of the browser', () => {
  stubApi({ [USERS]: users })
  renderPage('/events/create', page)
  expect(value('Time zone')).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone)
})

test('When an event gets another time zone and further organisers, then they are saved once it exists', async () => {
  const { requestsTo } = stubApi({
    [USERS]: () => ({ body: [organiser, helper] }),
    [CREATE]: created,
    [UPDATE]: () => ({ body: { message: 'Event changed successfully', event: eventFixture } }),
  })
  const user = renderPage('/events/create', page)
  await fill(user)
  const select = screen.getByLabelText('Add an organiser')
  expect(within(select).queryByRole('option', { name: organiser.email })).toBeNull()
  await addHelper(user)
  await user.selectOptions(screen.getByLabelText('Time zone'), 'Asia/Tokyo')
  await send(user)
  await notices().findByText('Event created successfully')
  expect(requestsTo(UPDATE).map(({ body }) => body)).toEqual([
    { organisers: [organiser._id, helper._id], settings: { timeZone: 'Asia/Tokyo' } },
  ])
  expect(screen.queryByText(helper.email, { selector: 'bdi' })).toBeNull()
  expect(sessionStorage).toHaveLength(0)
})

test('When the rest of a new event cannot be saved, then the page says so, and Retry saves it without a second event', async () => {
  let isDown = true
  const busy: StubResponse = { status: 503, body: { message: 'The server is busy.', code: 'x' } }
  const { requestsTo } = stubApi({
    [USERS]: () => ({ body: [organiser, helper] }),
    [CREATE]: created,
    [UPDATE]: () =>
      isDown ? busy : { body: { message: 'Event changed successfully', event: eventFixture } },
  })
  const user = renderPage('/events/create', page)
  await fill(user)
  await addHelper(user)
  await user.selectOptions(screen.getByLabelText('Time zone'), 'Asia/Tokyo')
  await send(user)
  await notices().findByText('The server is busy.')
  expect(screen.getByText(/Garden wedding.* has been created, but not all of it could be saved/)).toBeTruthy()
  // What waits on the event's own pages.
  expect(loadEdits('u1', eventFixture._id)).toEqual({
    organisers: [eventFixture.eventFor, { _id: helper._id, email: helper.email }],
  })
  expect(loadSettingsDraft('u1', eventFixture._id)).toEqual({ timeZone: 'Asia/Tokyo' })

  isDown = false
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  await notices().findByText('Event created successfully')
  expect(requestsTo(CREATE)).toHaveLength(1)
  expect(requestsTo(UPDATE)).toHaveLength(2)
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'See its QR code' }))
  expect(sessionStorage).toHaveLength(0)
})

test('When users are searched, then the dropdown offers those that match, and who is chosen stays', async () => {
  const { requestsTo } = stubApi({ [USERS]: () => ({ body: [organiser, helper] }) })
  const user = renderPage('/events/create', page)
  await screen.findByText(helper.email, { selector: 'option' })
  const select = screen.getByLabelText<HTMLSelectElement>('Assign to User')
  const offered = () => [...select.options].map(({ text }) => text)
  const search = screen.getByLabelText('Search users')
  await user.type(search, 'HELP{Enter}')
  expect(offered()).toEqual(['Choose a user · 1 result', helper.email])
  expect(screen.getByText('1 result').getAttribute('role')).toBe('status')
  await user.selectOptions(select, helper.email)
  await user.clear(search)
  await user.type(search, 'nobody')
  expect(offered()).toEqual(['No users found.', helper.email])
  expect(select.value).toBe(helper._id)
  expect(requestsTo(CREATE)).toEqual([])
  expect(document.querySelectorAll('[aria-invalid]')).toHaveLength(0)
})
