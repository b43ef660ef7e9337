import type { ComponentType } from 'react'
import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Event } from '@confetti/contracts'
import { createQueryClient } from '@confetti/federation/query-client'
import { BrowserRouter, useRoutes } from '@confetti/federation/router'
import { loadCatalogues } from '@confetti/i18n'
import { initSession, useSession } from '@confetti/session'
import { Toaster } from '@confetti/ui/toaster'
import { catalogues } from '../texts.ts'

await loadCatalogues(catalogues)

export interface StubResponse {
  status?: number
  body: unknown
}

type Handler = (body: unknown, query: URLSearchParams) => StubResponse | Promise<StubResponse>

/**
 * Replaces `fetch` by handlers with keys such as 'GET /api/users'; a call without a handler fails as if the
 * connection was lost. Returns the calls in order.
 */
export const stubApi = (handlers: Record<string, Handler>) => {
  const calls: { call: string; body: unknown; signal: AbortSignal | null | undefined }[] = []
  globalThis.fetch = (async (address: string, init: RequestInit) => {
    const { pathname, searchParams } = new URL(address)
    const call = `${init.method ?? 'GET'} ${pathname}`
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    calls.push({ call, body, signal: init.signal })
    const handler = handlers[call]
    if (!handler) throw new TypeError(`There is no handler for ${call}.`)
    const { status = 200, body: responseBody } = await handler(body, searchParams)
    init.signal?.throwIfAborted()
    const text = () => Promise.resolve(JSON.stringify(responseBody))
    return { ok: status < 300, status, text, headers: new Map() }
  }) as unknown as typeof fetch
  return { calls, requestsTo: (call: string) => calls.filter((each) => each.call === call) }
}

/** Closes the notices that an earlier test has left open. */
export const closeNotices = (): void => {
  const { unmount } = render(<Toaster />)
  for (const button of screen.queryAllByRole('button', { name: 'Close' })) fireEvent.click(button)
  unmount()
}

interface RenderOptions {
  path: string
  Page: ComponentType
  role?: 'admin' | 'user'
  userId?: string
}

/** Renders a page at an address for a signed-in user, with the notices. */
export const renderPage = (at: string, { path, Page, role = 'admin', userId = 'u1' }: RenderOptions) => {
  initSession({ brand: 'Confetti', apiUrl: 'http://api.test' })
  useSession.setState({ status: 'signed-in', user: { _id: userId, email: 'admin@confetti.test', role } })
  window.history.pushState(null, '', at)
  const Routes = () =>
    useRoutes([
      { path, element: <Page /> },
      { path: '*', element: <p>Another page</p> },
    ])
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

const organiser = { _id: '66aa0000000000000000000a', email: 'organiser@confetti.test' }
export const eventFixture: Event = {
  _id: '66aa00000000000000000001',
  name: 'Garden wedding',
  description: 'Dinner in the barn.',
  startDate: '2027-06-12',
  endDate: '2027-06-14',
  uploadsOpen: true,
  uploadsCloseAt: '2027-07-15T00:00:00.000Z',
  timeZone: 'UTC',
  limits: { maxFileBytes: 524_288_000, types: ['image/jpeg'] },
  eventFor: organiser,
  organisers: [organiser],
  organiserInvitations: [],
  settings: {},
  hasWall: false,
  uploadUrl: 'http://confetti.test/upload?eventId=66aa00000000000000000001',
  createdAt: '2027-05-01T10:00:00.000Z',
}
