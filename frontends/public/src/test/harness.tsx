import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ComponentType } from 'react'
import { BrowserRouter, useLocation } from '@confetti/federation/router'
import { loadCatalogues } from '@confetti/i18n'
import { initSession, useSession } from '@confetti/session'
import { Toaster } from '@confetti/ui/toaster'
import { ownerCatalogues } from '../owner-texts.ts'
import { guestCatalogues } from '../texts.ts'

await loadCatalogues([...guestCatalogues, ...ownerCatalogues])

type Handler = (
  body: unknown,
  query: URLSearchParams,
) => {
  status?: number
  headers?: Readonly<Record<string, string>>
  body: unknown
}

/** Replaces `fetch` by handlers with keys such as 'POST /api/auth/password'. Returns the calls in order. */
export const stubApi = (handlers: Record<string, Handler>) => {
  const calls: {
    call: string
    body: unknown
    authorization: string | undefined
    ownKey: string | undefined
    pass: string | undefined
  }[] = []
  globalThis.fetch = (async (address: string, init: RequestInit) => {
    const { pathname, searchParams } = new URL(address)
    const call = `${init.method ?? 'GET'} ${pathname}`
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    const {
      Authorization: authorization,
      'X-Guest-Key': ownKey,
      'X-Event-Pass': pass,
    } = init.headers as Record<string, string | undefined>
    calls.push({ call, body, authorization, ownKey, pass })
    const handler = handlers[call]
    if (!handler) throw new TypeError(`There is no handler for ${call}.`)
    const {
      status = 200,
      headers = {},
      body: responseBody,
    } = await Promise.resolve(handler(body, searchParams))
    const text = () => Promise.resolve(JSON.stringify(responseBody))
    return { ok: status < 300, status, text, headers: new Map(Object.entries(headers)) }
  }) as unknown as typeof fetch
  return { calls, requestsTo: (call: string) => calls.filter((each) => each.call === call) }
}

/** Closes the toasts of the previous test. */
export const closeToasts = (): void => {
  const { unmount } = render(<Toaster />)
  for (const button of screen.queryAllByRole('button', { name: 'Close' })) fireEvent.click(button)
  unmount()
}

const member = { _id: 'user-1', email: 'organiser@example.test', role: 'user' as const }

interface RenderOptions {
  signedIn?: boolean
  /** What the browser has stored before. */
  stored?: Readonly<Record<string, string>>
}

/** Renders a page at an address, with the toasts; `/other` marks that the page has been left. */
export const renderPage = (
  at: string,
  Page: ComponentType,
  { signedIn = false, stored = {} }: RenderOptions = {},
) => {
  localStorage.clear()
  for (const [name, value] of Object.entries(stored)) localStorage.setItem(name, value)
  if (signedIn) {
    localStorage.setItem('accessToken', 'access-1')
    localStorage.setItem('refreshToken', 'refresh-1')
    localStorage.setItem('user', JSON.stringify(member))
  }
  initSession({ brand: 'Confetti', apiUrl: 'https://api.example.test' })
  useSession.setState({
    status: signedIn ? 'signed-in' : 'signed-out',
    user: signedIn ? member : undefined,
  })
  history.replaceState(null, '', at)
  const { pathname } = location
  const Routes = () => (useLocation().pathname === pathname ? <Page /> : <p>Another page</p>)
  render(
    <BrowserRouter>
      <Routes />
      <Toaster />
    </BrowserRouter>,
  )
  return userEvent.setup()
}
