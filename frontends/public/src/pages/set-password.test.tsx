import { beforeEach, expect, test } from '@jest/globals'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { closeToasts, renderPage, stubApi } from '../test/harness.tsx'
import { AcceptInvitation, ResetPassword } from './set-password.tsx'

const pages = [
  ['/reset-password', ResetPassword, 'POST /api/auth/reset-password', 'Set Password'],
  ['/accept-invitation', AcceptInvitation, 'POST /api/auth/accept-invitation', 'Create Account'],
] as const
const success = () => ({ body: { message: 'Please sign in.' } })

beforeEach(closeToasts)

test.each(pages)(
  'When a password is set on %s, then the token of the link is sent, and the sign-in page replaces the address',
  async (path, Page, call, submitLabel) => {
    const { requestsTo } = stubApi({ [call]: success })
    const entries = history.length
    const user = renderPage(`${path}#token=abc.d-_e`, Page)
    await user.type(screen.getByLabelText('New password'), 'a new one')
    await user.click(screen.getByRole('button', { name: submitLabel }))
    await waitFor(() => expect(location.pathname + location.hash).toBe('/login'))
    expect(history.length).toBe(entries)
    expect(requestsTo(call).map(({ body }) => body)).toEqual([{ token: 'abc.d-_e', password: 'a new one' }])
    expect(screen.getByRole('status').textContent).toContain('Please sign in.')
  },
)

test.each(pages)(
  'When the link of %s no longer works, then the page says so',
  async (path, Page, call, label) => {
    stubApi({
      [call]: () => ({ status: 400, body: { message: 'Invalid.', code: 'link_invalid', requestId: 'r' } }),
    })
    const user = renderPage(`${path}#token=abc`, Page)
    await user.type(screen.getByLabelText('New password'), 'a new one')
    await user.click(screen.getByRole('button', { name: label }))
    const heading = await screen.findByRole('heading', { name: 'This link no longer works' })
    expect(document.activeElement).toBe(heading)
  },
)

test.each(pages)(
  'When the address of %s has no token, then the page says so',
  (path, Page, _call, _label) => {
    stubApi({})
    renderPage(path, Page)
    expect(screen.getByRole('heading', { name: 'This link no longer works' })).toBeTruthy()
  },
)

const READ = 'POST /api/auth/invitation'
const LOGIN = 'POST /api/auth/login'
const invitation = { email: 'tom@example.test', role: 'user', invitedBy: 'marta@example.test' }

test('When an invitation is accepted, then the form names address and sender, and the new account is signed in', async () => {
  const { requestsTo } = stubApi({
    [READ]: () => ({ body: invitation }),
    'POST /api/auth/accept-invitation': success,
    [LOGIN]: () => ({
      body: {
        accessToken: 'a',
        refreshToken: 'r',
        user: { _id: '1', email: invitation.email, role: 'user' },
      },
    }),
  })
  const user = renderPage('/accept-invitation#token=abc', AcceptInvitation)
  await screen.findByText(/^marta@example.test has invited you to organise events\./)
  const email = screen.getByLabelText<HTMLInputElement>('Email')
  expect([email.value, email.readOnly]).toEqual([invitation.email, true])
  await user.type(screen.getByLabelText('New password'), 'a new one')
  await user.click(screen.getByRole('button', { name: 'Create Account' }))
  await waitFor(() => expect(location.pathname + location.hash).toBe('/welcome'))
  expect(requestsTo(LOGIN).map(({ body }) => body)).toEqual([
    { email: invitation.email, password: 'a new one' },
  ])
  expect(screen.getByRole('status').textContent).toContain('Your account is ready.')
})

test('When what the invitation says could not be loaded at first, then the new account is signed in, too', async () => {
  let isOnline = false
  stubApi({
    [READ]: () =>
      isOnline ? { body: invitation } : { status: 503, body: { message: 'Busy', code: 'busy' } },
    'POST /api/auth/accept-invitation': success,
    [LOGIN]: () => ({
      body: {
        accessToken: 'a',
        refreshToken: 'r',
        user: { _id: '1', email: invitation.email, role: 'user' },
      },
    }),
  })
  const user = renderPage('/accept-invitation#token=abc', AcceptInvitation)
  await user.type(screen.getByLabelText('New password'), 'a new one')
  isOnline = true
  await user.click(screen.getByRole('button', { name: 'Create Account' }))
  await waitFor(() => expect(location.pathname).toBe('/welcome'))
})

test('When the sign-in of a new account fails, then the sign-in page follows', async () => {
  stubApi({
    [READ]: () => ({ body: invitation }),
    'POST /api/auth/accept-invitation': success,
    [LOGIN]: () => ({ status: 503, body: { message: 'Busy', code: 'busy', requestId: 'r' } }),
  })
  const user = renderPage('/accept-invitation#token=abc', AcceptInvitation)
  await screen.findByLabelText('Email')
  await user.type(screen.getByLabelText('New password'), 'a new one')
  await user.click(screen.getByRole('button', { name: 'Create Account' }))
  await waitFor(() => expect(location.pathname).toBe('/login'))
  expect(screen.getByRole('status').textContent).toContain('Your account is ready. Please sign in.')
})

test('When the password is too long, then its field says so, and nothing is sent', async () => {
  const { calls } = stubApi({})
  const user = renderPage('/reset-password#token=abc', ResetPassword)
  fireEvent.change(screen.getByLabelText('New password'), { target: { value: 'x'.repeat(1_025) } })
  await user.click(screen.getByRole('button', { name: 'Set Password' }))
  expect(screen.getByText('The password is longer than 1024 characters.', { selector: 'p' })).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('New password'))
  expect(calls).toEqual([])
})

test('When somebody is signed in on the device, then they are signed out after the reset', async () => {
  stubApi({
    'POST /api/auth/reset-password': success,
    'POST /api/auth/logout': () => ({ body: { message: 'Logged out successfully' } }),
  })
  const user = renderPage('/reset-password#token=abc', ResetPassword, { signedIn: true })
  await user.type(screen.getByLabelText('New password'), 'a new one')
  await user.click(screen.getByRole('button', { name: 'Set Password' }))
  await waitFor(() => expect(location.pathname).toBe('/login'))
  expect(localStorage.getItem('user')).toBeNull()
})
