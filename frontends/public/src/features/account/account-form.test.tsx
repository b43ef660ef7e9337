/** @jest-environment jsdom */
import { beforeEach, expect, jest, test } from '@jest/globals'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { BrowserRouter, useLocation } from '@confetti/federation/router'
import { openSession, useSession, type Credentials } from '@confetti/session'
import { Toaster } from '@confetti/ui/toaster'
import { AccountForm } from './account-form.tsx'

const member = { _id: 'user-1', email: 'organiser@example.test', role: 'user' as const }
const signedIn = (): void => useSession.setState({ status: 'signed-in', user: member })
const signsIn = (_: Credentials): Promise<void> => {
  signedIn()
  return Promise.resolve()
}

const SignIn = ({ send }: { send: (credentials: Credentials) => Promise<void> }) =>
  useLocation().pathname === '/login' && (
    <AccountForm
      title="Welcome back"
      subtitle="Enter your credentials to continue"
      action="Sign In"
      success="Logged in successfully"
      passwordKind="current-password"
      send={send}
      question="Don't have an account?"
      other={{ to: '/register', name: 'Sign up' }}
    />
  )

const open = (
  send: (credentials: Credentials) => Promise<void>,
  from?: { pathname: string; search: string },
): void => {
  history.replaceState(from ? { usr: { from } } : null, '', '/login')
  render(
    <BrowserRouter>
      <SignIn send={send} />
      <Toaster />
    </BrowserRouter>,
  )
}
const email = () => screen.getByLabelText<HTMLInputElement>('Email')
const password = () => screen.getByLabelText<HTMLInputElement>('Password')
const fillIn = async (): Promise<void> => {
  await userEvent.type(email(), member.email)
  await userEvent.type(password(), 'a password')
}
const submit = () => userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
const address = () => location.pathname + location.search

/** What the test before has left. */
const closeNotices = (): void => {
  const { unmount } = render(<Toaster />)
  for (const close of screen.queryAllByRole('button', { name: 'Close' })) fireEvent.click(close)
  unmount()
}

beforeEach(() => {
  openSession({ brand: 'Confetti', apiUrl: 'https://api.example.test' })
  closeNotices()
  useSession.setState({ status: 'signed-out', user: undefined })
})

test('When it succeeds, then a toast says so and the way leads to the welcome', async () => {
  const send = jest.fn(signsIn)
  open(send)
  await fillIn()
  await submit()
  expect(send).toHaveBeenCalledWith({ email: member.email, password: 'a password' })
  await waitFor(() => expect(address()).toBe('/welcome'))
  expect((await screen.findByRole('status')).textContent).toContain('SuccessLogged in successfully')
})

test('When the way began at another page, then it leads back there', async () => {
  open(signsIn, { pathname: '/myevents', search: '?from=mail' })
  await fillIn()
  await submit()
  await waitFor(() => expect(address()).toBe('/myevents?from=mail'))
})

test('When it fails, then the server is quoted and what was typed stays, with the keyboard on the button', async () => {
  open(() => Promise.reject(new Error('Invalid email or password')))
  await fillIn()
  await submit()
  expect((await screen.findByRole('status')).textContent).toContain('ErrorInvalid email or password')
  expect([email().value, password().value]).toEqual([member.email, 'a password'])
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Sign In' }))
  expect(address()).toBe('/login')
})

test('When it is on its way, then the button says so and a second tap sends nothing', async () => {
  const answer = Promise.withResolvers<undefined>()
  const send = jest.fn((_: Credentials) => answer.promise)
  open(send)
  await fillIn()
  await submit()
  await userEvent.click(screen.getByRole('button', { name: 'Loading...' }))
  expect(send).toHaveBeenCalledTimes(1)
  answer.resolve(undefined)
  await screen.findByRole('button', { name: 'Sign In' })
})

test('When somebody is signed in already, then there is nothing to fill in', () => {
  signedIn()
  open(() => Promise.resolve())
  expect(address()).toBe('/welcome')
  expect(screen.queryByRole('button', { name: 'Sign In' })).toBeNull()
})

test('When the password is to be seen, then it is shown until it is hidden again', async () => {
  open(() => Promise.resolve())
  expect(password().type).toBe('password')
  await userEvent.click(screen.getByRole('button', { name: 'Show the password' }))
  expect(password().type).toBe('text')
  await userEvent.click(screen.getByRole('button', { name: 'Hide the password' }))
  expect(password().type).toBe('password')
})

test('When one goes to the other form, then the way back goes along', async () => {
  open(() => Promise.resolve(), { pathname: '/myevents', search: '' })
  await userEvent.click(screen.getByRole('link', { name: 'Sign up' }))
  expect(address()).toBe('/register')
  expect((history.state as { usr: unknown }).usr).toEqual({ from: { pathname: '/myevents', search: '' } })
})
