import { expect, test } from '@jest/globals'
import { screen, waitFor, within } from '@testing-library/react'
import { formatDay } from '@confetti/ui/day'
import { Events } from '../../../pages/events.tsx'
import { stubApi, eventFixture, renderPage, type StubResponse } from '../../../test/harness.tsx'

const ACTIVE = 'GET /api/events/active'
const UPCOMING = 'GET /api/events/upcoming'
const PAST = 'GET /api/events/past'

const list = (...names: string[]): StubResponse => ({
  body: { events: names.map((name) => ({ ...eventFixture, _id: name.replace(' ', '-'), name })) },
})
const page = { path: '/events', Page: Events }
const tab = (name: string) => screen.getByRole('tab', { name })

test('When the page opens, then only the active events are loaded', async () => {
  const { calls } = stubApi({ [ACTIVE]: () => list('Garden wedding') })
  renderPage('/events', page)
  expect(tab('Active').getAttribute('aria-selected')).toBe('true')

  const card = (await screen.findByRole('heading', { name: 'Garden wedding' })).closest('li') ?? document.body
  for (const text of [formatDay('2027-06-12'), formatDay('2027-06-14'), 'Dinner in the barn.'])
    expect(within(card).getByText(text)).toBeTruthy()
  expect(within(card).getByText('organiser@confetti.test')).toBeTruthy()
  const details = within(card).getByRole('link', { name: 'View Details' })
  expect(details.getAttribute('href')).toBe('/events/Garden-wedding')
  expect(calls.map(({ call }) => call)).toEqual([ACTIVE])
})

test('When the accounts of all organisers have been erased, then the card says so', async () => {
  const orphan = { ...eventFixture, eventFor: { _id: '0'.repeat(24), email: '' }, organisers: [] }
  stubApi({ [ACTIVE]: () => ({ body: { events: [orphan] } }) })
  renderPage('/events', page)
  expect(await screen.findByText('No organiser')).toBeTruthy()
})

test('When a tab is selected again, then its list is not loaded again', async () => {
  const { calls } = stubApi({
    [ACTIVE]: () => list('Today'),
    [UPCOMING]: () => list('Tomorrow'),
    [PAST]: () => list(),
  })
  const user = renderPage('/events', page)
  await screen.findByText('Today')
  await user.click(tab('Upcoming'))
  await screen.findByText('Tomorrow')
  await user.click(tab('Past'))
  await screen.findByText('No events available.')
  for (const name of ['Active', 'Upcoming', 'Past', 'Upcoming']) await user.click(tab(name))
  await screen.findByText('Tomorrow')
  expect(calls.map(({ call }) => call)).toEqual([ACTIVE, UPCOMING, PAST])
})

test('When the address names a tab, then that tab is shown and loaded, and back returns to the previous tab', async () => {
  const { calls } = stubApi({ [PAST]: () => list('Yesterday'), [ACTIVE]: () => list('Today') })
  const user = renderPage('/events?tab=past', page)
  await screen.findByText('Yesterday')
  expect(calls.map(({ call }) => call)).toEqual([PAST])

  await user.click(tab('Active'))
  await screen.findByText('Today')
  window.history.back()
  await waitFor(() => expect(tab('Past').getAttribute('aria-selected')).toBe('true'))
})

test('When the keyboard is used, then arrow keys move between the tabs and Enter selects one', async () => {
  const { calls } = stubApi({ [ACTIVE]: () => list('Today'), [PAST]: () => list('Yesterday') })
  const user = renderPage('/events', page)
  await screen.findByText('Today')
  await user.click(tab('Active'))
  await user.keyboard('{ArrowRight}{ArrowRight}{Enter}')
  await screen.findByText('Yesterday')
  expect(calls.map(({ call }) => call)).toEqual([ACTIVE, PAST])
})

test('When events are searched, then those show whose name or organiser has the text, in each tab', async () => {
  const { calls } = stubApi({
    [ACTIVE]: () => list('Garden wedding', 'Harbour fair'),
    [PAST]: () => list('Old wedding', 'Old fair'),
  })
  const user = renderPage('/events', page)
  await screen.findByRole('heading', { name: 'Harbour fair' })
  const names = () => screen.queryAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
  const search = screen.getByLabelText('Search by name or organiser')
  await user.type(search, 'WEDDING')
  expect(names()).toEqual(['Garden wedding'])
  expect(screen.getByText('1 result').getAttribute('role')).toBe('status')
  await user.click(tab('Past'))
  await screen.findByRole('heading', { name: 'Old wedding' })
  expect(names()).toEqual(['Old wedding'])
  await user.type(search, 's')
  expect(within(screen.getByRole('tabpanel')).getByText('No event matches your search.')).toBeTruthy()
  await user.clear(search)
  await user.type(search, 'organiser@')
  expect(names()).toEqual(['Old wedding', 'Old fair'])
  expect(calls.map(({ call }) => call)).toEqual([ACTIVE, PAST])
})

test('When the admin returns from an event, then the search and the tab are as they were', async () => {
  stubApi({ [ACTIVE]: () => list('Garden wedding'), [PAST]: () => list('Old wedding', 'Old fair') })
  const user = renderPage('/events', page)
  const search = screen.getByLabelText('Search by name or organiser')
  await user.click(tab('Past'))
  await screen.findByRole('heading', { name: 'Old fair' })
  await user.type(search, 'old w')
  expect(document.activeElement).toBe(search)
  await user.click(screen.getByRole('link', { name: 'View Details' }))
  await screen.findByText('Another page')
  window.history.back()
  expect(await screen.findByRole('heading', { name: 'Old wedding' })).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Search by name or organiser').value).toBe('old w')
  expect(screen.queryByRole('heading', { name: 'Old fair' })).toBeNull()
  window.history.back()
  await waitFor(() => expect(tab('Active').getAttribute('aria-selected')).toBe('true'))
})

test('When there are no events, then the page says what to do next', async () => {
  stubApi({ [ACTIVE]: () => list() })
  renderPage('/events', page)
  await screen.findByText('No events available.')
  expect(screen.getByRole('link', { name: 'Create an event' }).getAttribute('href')).toBe('/events/create')
})

test('When loading fails, then the server’s message is shown, and Retry loads the events', async () => {
  let isDown = true
  stubApi({
    [ACTIVE]: () =>
      isDown ? { status: 503, body: { message: 'The service is busy.', code: 'busy' } } : list('Today'),
  })
  const user = renderPage('/events', page)
  const notices = screen.getByRole('region', { name: 'Notifications (F8)' })
  await within(notices).findByText('The service is busy.')
  expect(within(notices).getByText('Error')).toBeTruthy()

  isDown = false
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  await screen.findByText('Today')
  expect(document.activeElement).not.toBe(document.body)
})
