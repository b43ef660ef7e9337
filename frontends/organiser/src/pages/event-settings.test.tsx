import { QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createQueryClient } from '@confetti/federation/query-client'
import { BrowserRouter, useRoutes } from '@confetti/federation/router'
import { loadCatalogues } from '@confetti/i18n'
import { initSession, useSession } from '@confetti/session'
import { Toaster } from '@confetti/ui/toaster'
import { EventSettings } from './event-settings.tsx'
import { catalogues } from '../texts.ts'

await loadCatalogues(catalogues)

interface StubResponse {
  status?: number
  body: unknown
}

const ME = { _id: '66aa0000000000000000000a', email: 'organiser@confetti.test' }
const HELPER = { _id: '66aa0000000000000000000b', email: 'helper@confetti.test' }
const event = {
  _id: '66aa00000000000000000001',
  name: 'Garden wedding',
  description: 'Dinner in the barn.',
  startDate: '2027-06-12',
  endDate: '2027-06-14',
  uploadsOpen: true,
  uploadsCloseAt: '2099-07-14T22:00:00.000Z',
  timeZone: 'Europe/Berlin',
  eventFor: ME,
  organisers: [ME, HELPER],
  organiserInvitations: [],
  settings: { maxFiles: 100 },
  uploadUrl: 'http://confetti.test/upload?eventId=66aa00000000000000000001',
  createdAt: '2027-05-01T10:00:00.000Z',
}
const path = `/api/events/${event._id}`
const EVENT = `GET ${path}`
const UPDATE = `PATCH ${path}`

let handlers: Record<string, () => StubResponse>
let requests: { call: string; body: unknown }[]

beforeEach(() => {
  sessionStorage.clear()
  requests = []
  handlers = {
    [EVENT]: () => ({ body: { ...event, event } }),
    [`GET /api/myevents/uploads/${event._id}`]: () => ({
      body: { uploads: [], total: { files: 3, guests: 1, bytes: 1_000 } },
    }),
  }
  globalThis.fetch = ((address: string, { method = 'GET', body }: RequestInit) => {
    const call = `${method} ${new URL(address).pathname}`
    requests.push({ call, body: typeof body === 'string' ? JSON.parse(body) : undefined })
    const { status = 200, body: responseBody } = handlers[call]?.() ?? { status: 404, body: {} }
    const text = () => Promise.resolve(JSON.stringify(responseBody))
    return Promise.resolve({ ok: status < 300, status, text, headers: new Map() })
  }) as unknown as typeof fetch
})
afterEach(cleanup)

const Routes = () =>
  useRoutes([
    { path: '/myevents/:eventId/settings', element: <EventSettings /> },
    { path: '*', element: <p>Another page</p> },
  ])

const open = () => {
  initSession({ brand: 'Confetti', apiUrl: 'http://api.test' })
  useSession.setState({ status: 'signed-in', user: { ...ME, role: 'user' } })
  window.history.pushState(null, '', `/myevents/${event._id}/settings`)
  render(
    <QueryClientProvider client={createQueryClient()}>
      <BrowserRouter>
        <Routes />
        <Toaster />
      </BrowserRouter>
    </QueryClientProvider>,
  )
  return userEvent.setup()
}
const notices = () => within(screen.getByRole('region', { name: 'Notifications (F8)' }))

test('When an organiser closes uploads, then only that is sent, and the limits can only be read', async () => {
  const closed = { ...event, uploadsOpen: false, settings: { uploads: 'closed', maxFiles: 100 } }
  handlers[UPDATE] = () => ({ body: { message: 'Event changed successfully', event: closed } })
  const user = open()
  await user.click(await screen.findByRole('radio', { name: 'Closed' }))
  expect(await screen.findByText('3 of 100 files')).toBeTruthy()
  expect(screen.queryByLabelText('Files at most')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Save settings' }))
  await notices().findByText('Settings saved')
  expect(requests.filter(({ call }) => call === UPDATE).map(({ body }) => body)).toEqual([
    { settings: { uploads: 'closed' } },
  ])
})

test('When organisers remove themselves, then their list of events is shown', async () => {
  const left = { ...event, eventFor: HELPER, organisers: [HELPER] }
  handlers[`DELETE ${path}/organisers/${ME._id}`] = () => ({ body: { message: 'Removed', event: left } })
  const user = open()
  await user.click(await screen.findByRole('button', { name: `Remove ${ME.email}` }))
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Remove' }))
  expect(await screen.findByText('Another page')).toBeTruthy()
  expect(location.pathname).toBe('/myevents')
})

test('When the event is of another organiser, then the page says that it does not exist', async () => {
  const { _id, name, description, startDate, endDate, uploadsOpen, uploadsCloseAt } = event
  const guestView = { _id, name, description, startDate, endDate, uploadsOpen, uploadsCloseAt }
  handlers[EVENT] = () => ({ body: { ...guestView, event: guestView } })
  open()
  expect(await screen.findByRole('heading', { name: 'This event does not exist.' })).toBeTruthy()
})

test('When the event fails to load, then the page says so, and Retry loads it', async () => {
  const loaded = handlers[EVENT]
  handlers[EVENT] = () => ({ status: 503, body: { message: 'The server is busy.', code: 'x' } })
  const user = open()
  const retry = await screen.findByRole('button', { name: 'Retry' })
  expect(screen.getByText('The server is busy.')).toBeTruthy()
  if (loaded) handlers[EVENT] = loaded
  await user.click(retry)
  expect(await screen.findByLabelText('Welcome text')).toBeTruthy()
  expect(document.activeElement).not.toBe(document.body)
})
