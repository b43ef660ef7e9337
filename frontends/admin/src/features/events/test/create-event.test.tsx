/** @jest-environment jsdom */
import { beforeEach, expect, test } from '@jest/globals'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { CreateEvent } from '../../../pages/create-event.tsx'
import { serve, someEvent, visit, type Served } from './site.tsx'

const USERS = 'GET /api/users'
const CREATE = 'POST /api/events'
const page = { path: '/events/create', Page: CreateEvent }
const organiser = { _id: someEvent.eventFor._id, email: someEvent.eventFor.email, role: 'user' }
const users = (): Served => ({ body: [organiser] })
const created = (): Served => ({ status: 201, body: { message: 'Event created', event: someEvent } })

beforeEach(() => sessionStorage.clear())

const day = (date: number): string => {
  const now = new Date()
  const two = (part: number) => String(part).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(date)}`
}
const pick = async (user: UserEvent, field: string, date: number): Promise<void> => {
  await user.click(screen.getByRole('button', { name: new RegExp(`^${field}`) }))
  const days = within(await screen.findByRole('grid')).getAllByText(String(date), { selector: 'button' })
  // The same number may stand there a second time, as a day of the month after.
  await user.click(days[0] ?? document.body)
}
const fill = async (user: UserEvent, { end = 12 } = {}): Promise<void> => {
  await user.type(screen.getByLabelText('Event Name'), 'Garden wedding')
  await user.type(screen.getByLabelText('Description'), 'Dinner in the barn.')
  await screen.findByRole('option', { name: organiser.email })
  await user.selectOptions(screen.getByLabelText('Assign to User'), organiser.email)
  await pick(user, 'Start Date', 10)
  await pick(user, 'End Date', end)
}
const send = (user: UserEvent) => user.click(screen.getByRole('button', { name: 'Create Event' }))
const notices = () => within(screen.getByRole('region', { name: 'Notifications (F8)' }))
const value = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value

test('When nothing is filled in, then that is said, the fields are marked, and nothing is sent', async () => {
  const { asked } = serve({ [USERS]: users })
  const user = visit('/events/create', page)
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
  expect(asked(CREATE)).toEqual([])
})

test('When one thing is missing, then that one alone is marked and has the focus, until it is there', async () => {
  serve({ [USERS]: users, [CREATE]: created })
  const user = visit('/events/create', page)
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

test('When all is there, then it is sent as it is, the form is cleared and leads on to the event', async () => {
  const { asked } = serve({ [USERS]: users, [CREATE]: created })
  const user = visit('/events/create', page)
  await fill(user)
  await send(user)

  await notices().findByText('Event created successfully')
  expect(asked(CREATE).map(({ body }) => body)).toEqual([
    {
      name: 'Garden wedding',
      description: 'Dinner in the barn.',
      startDate: day(10),
      endDate: day(12),
      eventFor: organiser._id,
    },
  ])
  expect([value('Event Name'), value('Description'), value('Assign to User')]).toEqual(['', '', ''])
  expect(screen.getAllByText('Pick a date')).toHaveLength(2)
  expect(document.querySelectorAll('[aria-invalid]')).toHaveLength(0)
  const on = screen.getByRole('link', { name: 'See its QR code' })
  expect(on.getAttribute('href')).toBe(`/events/${someEvent._id}`)
  expect(document.activeElement).toBe(on)
})

test('When it is being sent, then it cannot be sent again', async () => {
  let answer: (served: Served) => void = () => {}
  const { asked } = serve({
    [USERS]: users,
    [CREATE]: () => new Promise((resolve) => (answer = resolve)),
  })
  const user = visit('/events/create', page)
  await fill(user)
  await send(user)
  const button = screen.getByRole('button', { name: 'Creating...' })
  expect(button.matches(':disabled')).toBe(true)
  await user.click(button)
  expect(asked(CREATE)).toHaveLength(1)

  answer(created())
  const ready = await screen.findByRole('button', { name: 'Create Event' })
  expect(ready.matches(':disabled')).toBe(false)
})

test('When the server refuses, then its message is told and what was written stays', async () => {
  serve({
    [USERS]: users,
    [CREATE]: () => ({
      status: 400,
      body: { message: 'The assigned user does not exist.', code: 'invalid' },
    }),
  })
  const user = visit('/events/create', page)
  await fill(user)
  await send(user)
  await notices().findByText('The assigned user does not exist.')
  expect(value('Event Name')).toBe('Garden wedding')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Create Event' }))
})

const filled = async (): Promise<(string | null)[]> => {
  await screen.findByRole('option', { name: organiser.email })
  const days = ['Start Date', 'End Date'].map((label) =>
    screen.getByRole('button', { name: new RegExp(`^${label}`) }).getAttribute('aria-label'),
  )
  return [value('Event Name'), value('Description'), value('Assign to User'), ...days]
}
const nothing = ['', '', '', 'Start Date, Pick a date', 'End Date, Pick a date']

test('When the page goes before the event is created, then all is there again, for its writer alone', async () => {
  serve({ [USERS]: users })
  await fill(visit('/events/create', page))
  const before = await filled()
  expect(before.slice(0, 3)).toEqual(['Garden wedding', 'Dinner in the barn.', organiser._id])

  cleanup()
  visit('/events/create', { ...page, userId: 'u2' })
  expect(await filled()).toEqual(nothing)
  cleanup()
  visit('/events/create', page)
  expect(await filled()).toEqual(before)
})

test('When the event is created, then nothing of it is there the next time', async () => {
  serve({ [USERS]: users, [CREATE]: created })
  const user = visit('/events/create', page)
  await fill(user)
  await send(user)
  await screen.findByRole('link', { name: 'See its QR code' })
  cleanup()
  visit('/events/create', page)
  expect(await filled()).toEqual(nothing)
})

test('When something else is stored in the place of a draft, then the form is empty', async () => {
  serve({ [USERS]: users })
  for (const kept of ['{"name":', 'null', '42', '{"name":1}', '{"name":"Garden wedding"}']) {
    sessionStorage.setItem('eventDraft:u1', kept)
    visit('/events/create', page)
    expect(await filled()).toEqual(nothing)
    cleanup()
  }
})

test('When the start is moved behind the end, then that is said at once, and nothing is sent', async () => {
  const { asked } = serve({ [USERS]: users, [CREATE]: created })
  const user = visit('/events/create', page)
  await fill(user)
  await pick(user, 'Start Date', 14)
  expect(screen.getByText('The end date is before the start date.')).toBeTruthy()
  await send(user)
  expect(notices().getByText('The end date is before the start date.')).toBeTruthy()
  expect(asked(CREATE)).toEqual([])

  await pick(user, 'End Date', 14)
  await send(user)
  await waitFor(() => expect(asked(CREATE)).toHaveLength(1))
})

test('When the users cannot be fetched, then that is said, and Retry fetches them', async () => {
  let down = true
  serve({ [USERS]: () => (down ? { status: 500, body: { message: 'Broken.', code: 'x' } } : users()) })
  const user = visit('/events/create', page)
  await notices().findByText('Failed to fetch users.')
  down = false
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  await screen.findByRole('option', { name: organiser.email })
})

test('When nobody has registered yet, then it says that the organiser has to', async () => {
  serve({ [USERS]: () => ({ body: [] }) })
  visit('/events/create', page)
  await screen.findByText(/The organiser has to register first/)
})
