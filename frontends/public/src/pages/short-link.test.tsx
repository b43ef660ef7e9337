import { beforeEach, expect, test } from '@jest/globals'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { BrowserRouter, useLocation, useRoutes } from '@confetti/federation/router'
import { initSession } from '@confetti/session'
import { closeToasts, stubApi } from '../test/harness.tsx'
import { ShortLink } from './short-link.tsx'

const eventId = '6b03b0c58bddcb2b37aa5f39'

beforeEach(closeToasts)

const Address = () => {
  const { pathname, search, hash } = useLocation()
  return <p>{`At ${pathname}${search}${hash}`}</p>
}
const Routes = () =>
  useRoutes([
    { path: '/e/:code', element: <ShortLink /> },
    { path: '*', element: <Address /> },
  ])
const open = (path: string): void => {
  initSession({ brand: 'Confetti', apiUrl: 'https://api.example.test' })
  history.replaceState(null, '', path)
  render(
    <BrowserRouter>
      <Routes />
    </BrowserRouter>,
  )
}

test('When a short link is opened, then the upload page of its event takes its place, with the fragment', async () => {
  stubApi({ 'GET /api/codes/7F3K-9QXM': () => ({ body: { eventId } }) })
  const { length } = history
  open('/e/7F3K-9QXM#key')
  await screen.findByText(`At /upload?eventId=${eventId}#key`)
  expect(history.length).toBe(length)
})

test('When no event has the code of a short link, then the landing page has the code', async () => {
  const body = { message: 'There is no event with this code.', code: 'code_not_found', requestId: 'r' }
  stubApi({ 'GET /api/codes/2222-2222': () => ({ status: 404, body }) })
  open('/e/2222-2222')
  await screen.findByText('At /?code=2222-2222')
})

test('When the server is busy, then the page says so, and tries again on request', async () => {
  let isBusy = true
  const busy = { message: 'The service is busy.', code: 'unavailable', requestId: 'r' }
  stubApi({
    'GET /api/codes/7F3K-9QXM': () => (isBusy ? { status: 503, body: busy } : { body: { eventId } }),
  })
  open('/e/7F3K-9QXM')
  await screen.findByText('The service is busy.')
  isBusy = false
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await screen.findByText(`At /upload?eventId=${eventId}`)
})
