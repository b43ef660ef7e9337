import type { ComponentType } from 'react'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { BrowserRouter, useRoutes } from '@confetti/federation/router'
import { openSession, useSession } from '@confetti/session'
import { Toaster } from '@confetti/ui/toaster'

export interface Served {
  status?: number
  body: unknown
}

/**
 * Stands in for the network. `answers` go by 'GET /api/users'; an answer that never settles is a server that hangs.
 * Gives what was asked for, in order.
 */
export const serve = (answers: Record<string, (body: unknown) => Served | Promise<Served>>) => {
  const calls: { call: string; body: unknown }[] = []
  globalThis.fetch = (async (address: string, init: RequestInit) => {
    const call = `${init.method ?? 'GET'} ${new URL(address).pathname}`
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    calls.push({ call, body })
    const answer = answers[call]
    if (!answer) throw new TypeError(`Nothing answers ${call}`)
    const { status = 200, body: told } = await answer(body)
    return { ok: status < 300, status, text: () => Promise.resolve(JSON.stringify(told)), headers: new Map() }
  }) as unknown as typeof fetch
  return { calls, asked: (call: string) => calls.filter((each) => each.call === call) }
}

/** Shows a page at its address, to somebody who is signed in, with the notices beside it. */
export const visit = (
  at: string,
  {
    path,
    Page,
    role = 'admin',
    userId = 'u1',
  }: { path: string; Page: ComponentType; role?: 'admin' | 'user'; userId?: string },
) => {
  openSession({ brand: 'Confetti', apiUrl: 'http://api.test' })
  useSession.setState({ status: 'signed-in', user: { _id: userId, email: 'somebody@confetti.test', role } })
  window.history.pushState(null, '', at)
  const Routes = () =>
    useRoutes([
      { path, element: <Page /> },
      { path: '*', element: <p>Elsewhere</p> },
    ])
  render(
    <BrowserRouter>
      <Routes />
      <Toaster />
    </BrowserRouter>,
  )
  return userEvent.setup()
}

export const someEvent = {
  _id: '66aa00000000000000000001',
  name: 'Garden wedding',
  description: 'Dinner in the barn.',
  startDate: '2027-06-12',
  endDate: '2027-06-14',
  uploadsOpen: true,
  uploadsCloseAt: '2027-07-15T00:00:00.000Z',
  eventFor: { _id: '66aa0000000000000000000a', email: 'organiser@confetti.test' },
  uploadUrl: 'http://confetti.test/upload?eventId=66aa00000000000000000001',
  createdAt: '2027-05-01T10:00:00.000Z',
}
