/** @jest-environment jsdom */
import { expect, test } from '@jest/globals'
import { screen, waitFor, within } from '@testing-library/react'
import { formatDay } from '@confetti/ui/day'
import { Events } from '../../../pages/events.tsx'
import { serve, someEvent, visit, type Served } from './site.tsx'

const ACTIVE = 'GET /api/events/active'
const UPCOMING = 'GET /api/events/upcoming'
const PAST = 'GET /api/events/past'

const list = (...names: string[]): Served => ({
  body: { events: names.map((name) => ({ ...someEvent, _id: name.replace(' ', '-'), name })) },
})
const page = { path: '/events', Page: Events }
const tab = (name: string) => screen.getByRole('tab', { name })

test('When the page opens, then the active events are loaded, and no others', async () => {
  const { calls } = serve({ [ACTIVE]: () => list('Garden wedding') })
  visit('/events', page)
  expect(tab('Active').getAttribute('aria-selected')).toBe('true')

  const card = (await screen.findByRole('heading', { name: 'Garden wedding' })).closest('li') ?? document.body
  for (const text of [formatDay('2027-06-12'), formatDay('2027-06-14'), 'Dinner in the barn.'])
    expect(within(card).getByText(text)).toBeTruthy()
  expect(within(card).getByText('organiser@confetti.test')).toBeTruthy()
  const details = within(card).getByRole('link', { name: 'View Details' })
  expect(details.getAttribute('href')).toBe('/events/Garden-wedding')
  expect(calls.map(({ call }) => call)).toEqual([ACTIVE])
})

test('When a tab is chosen again, then its list is not loaded again', async () => {
  const { calls } = serve({
    [ACTIVE]: () => list('Today'),
    [UPCOMING]: () => list('Tomorrow'),
    [PAST]: () => list(),
  })
  const user = visit('/events', page)
  await screen.findByText('Today')
  await user.click(tab('Upcoming'))
  await screen.findByText('Tomorrow')
  await user.click(tab('Past'))
  await screen.findByText('No events available.')
  for (const name of ['Active', 'Upcoming', 'Past', 'Upcoming']) await user.click(tab(name))
  await screen.findByText('Tomorrow')
  expect(calls.map(({ call }) => call)).toEqual([ACTIVE, UPCOMING, PAST])
})

test('When the address names a tab, then that one is shown and loaded, and back leads to the one before', async () => {
  const { calls } = serve({ [PAST]: () => list('Yesterday'), [ACTIVE]: () => list('Today') })
  const user = visit('/events?tab=past', page)
  await screen.findByText('Yesterday')
  expect(calls.map(({ call }) => call)).toEqual([PAST])

  await user.click(tab('Active'))
  await screen.findByText('Today')
  window.history.back()
  await waitFor(() => expect(tab('Past').getAttribute('aria-selected')).toBe('true'))
})

test('When only keys are used, then arrows go among the tabs and Enter chooses', async () => {
  const { calls } = serve({ [ACTIVE]: () => list('Today'), [PAST]: () => list('Yesterday') })
  const user = visit('/events', page)
  await screen.findByText('Today')
  await user.click(tab('Active'))
  await user.keyboard('{ArrowRight}{ArrowRight}{Enter}')
  await screen.findByText('Yesterday')
  expect(calls.map(({ call }) => call)).toEqual([ACTIVE, PAST])
})

test('When there are no events, then it says what to do next', async () => {
  serve({ [ACTIVE]: () => list() })
  visit('/events', page)
  await screen.findByText('No events available.')
  expect(screen.getByRole('link', { name: 'Create an event' }).getAttribute('href')).toBe('/events/create')
})

test('When loading fails, then the server’s message is told, and Retry loads', async () => {
  let down = true
  serve({
    [ACTIVE]: () =>
      down ? { status: 503, body: { message: 'The service is busy.', code: 'busy' } } : list('Today'),
  })
  const user = visit('/events', page)
  const notices = screen.getByRole('region', { name: 'Notifications (F8)' })
  await within(notices).findByText('The service is busy.')
  expect(within(notices).getByText('Error')).toBeTruthy()

  down = false
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  await screen.findByText('Today')
})
