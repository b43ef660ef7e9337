import { beforeEach, expect, jest, test } from '@jest/globals'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { ApiError } from '@confetti/api-client'
import { BrowserRouter, useLocation } from '@confetti/federation/router'
import { loadCatalogues, setLocale } from '@confetti/i18n'
import { initSession, useSession, type Credentials } from '@confetti/session'
import { Toaster } from '@confetti/ui/toaster'
import { ownerCatalogues } from '../owner-texts.ts'
import { AccountForm } from './sign-in.tsx'

await loadCatalogues(ownerCatalogues)

const member = { _id: 'user-1', email: 'organiser@example.test', role: 'user' as const }
const setSignedIn = (): void => useSession.setState({ status: 'signed-in', user: member })
const signIn = (_: Credentials): Promise<void> => {
  setSignedIn()
  return Promise.resolve()
}

const LoginPage = ({ onSubmit }: { onSubmit: (credentials: Credentials) => Promise<void> }) =>
  useLocation().pathname === '/login' && (
    <AccountForm
      title="Welcome back"
      subtitle="Enter your credentials to continue"
      submitLabel="Sign In"
      successMessage="Logged in successfully"
      passwordAutoComplete="current-password"
      onSubmit={onSubmit}
      otherFormQuestion="Don't have an account?"
      otherFormLink={{ to: '/register', name: 'Sign up' }}
    />
  )

const openPage = (
  onSubmit: (credentials: Credentials) => Promise<void>,
  from?: { pathname: string; search: string },
): void => {
  history.replaceState(from ? { usr: { from } } : null, '', '/login')
  render(
    <BrowserRouter>
      <LoginPage onSubmit={onSubmit} />
      <Toaster />
    </BrowserRouter>,
  )
}
const getEmail = () => screen.getByLabelText<HTMLInputElement>('Email')
const getPassword = () => screen.getByLabelText<HTMLInputElement>('Password')
const fillIn = async (): Promise<void> => {
  await userEvent.type(getEmail(), member.email)
  await userEvent.type(getPassword(), 'a password')
}
const submit = () => userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
const getUrl = () => location.pathname + location.search

/** Closes the toasts of the previous test. */
const closeToasts = (): void => {
  const { unmount } = render(<Toaster />)
  for (const closeButton of screen.queryAllByRole('button', { name: 'Close' })) fireEvent.click(closeButton)
  unmount()
}

beforeEach(() => {
  initSession({ brand: 'Confetti', apiUrl: 'https://api.example.test' })
  closeToasts()
  useSession.setState({ status: 'signed-out', user: undefined })
})

test('When the sign-in succeeds, then a toast is shown and the page is /welcome', async () => {
  const onSubmit = jest.fn(signIn)
  openPage(onSubmit)
  await fillIn()
  await submit()
  expect(onSubmit).toHaveBeenCalledWith({ email: member.email, password: 'a password' })
  await waitFor(() => expect(getUrl()).toBe('/welcome'))
  await waitFor(() =>
    expect(screen.getByRole('status').textContent).toContain('SuccessLogged in successfully'),
  )
})

test('When the user was redirected from another page, then they return to it', async () => {
  openPage(signIn, { pathname: '/myevents', search: '?from=mail' })
  await fillIn()
  await submit()
  await waitFor(() => expect(getUrl()).toBe('/myevents?from=mail'))
})

test('When the sign-in fails, then a toast has the message, and the form keeps its values and the focus', async () => {
  openPage(() => Promise.reject(new Error('Invalid email or password')))
  await fillIn()
  await submit()
  await waitFor(() =>
    expect(screen.getByRole('alert').textContent).toContain('ErrorInvalid email or password'),
  )
  expect([getEmail().value, getPassword().value]).toEqual([member.email, 'a password'])
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Sign In' }))
  expect(getUrl()).toBe('/login')
})

const describedBy = (field: HTMLElement) =>
  document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent

test('When the server rejects a field, then its message is at the field, which has the focus, until it changes', async () => {
  const message = 'An account with this email already exists.'
  const details = [{ field: 'email', message }]
  openPage(() => Promise.reject(new ApiError(409, { message, code: 'email_taken', details })))
  await fillIn()
  await submit()
  await waitFor(() => expect(describedBy(getEmail())).toBe(message))
  expect(screen.getByRole('alert').textContent).toContain(message)
  expect(document.activeElement).toBe(getEmail())
  expect(getPassword().hasAttribute('aria-invalid')).toBe(false)
  await userEvent.type(getEmail(), '.org')
  expect(getEmail().hasAttribute('aria-invalid')).toBe(false)
})

test('When the page is in German, then the error of a field and that of a sign-in without tokens are German', async () => {
  await setLocale('de')
  try {
    const message = 'Please enter a valid email address.'
    const details = [{ field: 'email', message, code: 'malformed' }]
    const onSubmit = jest
      .fn<(credentials: Credentials) => Promise<void>>()
      .mockRejectedValueOnce(new ApiError(400, { message, code: 'invalid', details }))
      .mockRejectedValueOnce(new ApiError(200, { message: 'Login failed', code: 'login_failed' }))
    openPage(onSubmit)
    await userEvent.type(screen.getByLabelText('E-Mail'), member.email)
    await userEvent.type(screen.getByLabelText('Passwort'), 'a password')
    await submit()
    await waitFor(() => expect(describedBy(screen.getByLabelText('E-Mail'))).toBe('Prüf bitte diese Angabe.'))
    await submit()
    await waitFor(() =>
      expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toContainEqual(
        expect.stringContaining('Die Anmeldung hat nicht geklappt.'),
      ),
    )
  } finally {
    await act(() => setLocale('en'))
  }
})

test('When the password is too long, then its field says so, and nothing is sent; emoji count as one character', async () => {
  const onSubmit = jest.fn(() => Promise.reject(new Error('Invalid email or password')))
  openPage(onSubmit)
  await fillIn()
  fireEvent.change(getPassword(), { target: { value: '🎉'.repeat(1_025) } })
  await submit()
  expect(describedBy(getPassword())).toBe('The password is longer than 1024 characters.')
  expect(document.activeElement).toBe(getPassword())
  expect(onSubmit).not.toHaveBeenCalled()
  fireEvent.change(getPassword(), { target: { value: '🎉'.repeat(1_024) } })
  await submit()
  expect(onSubmit).toHaveBeenCalledTimes(1)
})

test('When the form is being sent, then the button shows it and a second click sends nothing', async () => {
  const response = Promise.withResolvers<undefined>()
  const onSubmit = jest.fn((_: Credentials) => response.promise)
  openPage(onSubmit)
  await fillIn()
  await submit()
  await userEvent.click(screen.getByRole('button', { name: 'Loading...' }))
  expect(onSubmit).toHaveBeenCalledTimes(1)
  response.resolve(undefined)
  await screen.findByRole('button', { name: 'Sign In' })
})

test('When a user is signed in already, then they are redirected to /welcome', () => {
  setSignedIn()
  openPage(() => Promise.resolve())
  expect(getUrl()).toBe('/welcome')
  expect(screen.queryByRole('button', { name: 'Sign In' })).toBeNull()
})

test('When the password is shown, then it is visible until it is hidden again', async () => {
  openPage(() => Promise.resolve())
  expect(getPassword().type).toBe('password')
  await userEvent.click(screen.getByRole('button', { name: 'Show password' }))
  expect(getPassword().type).toBe('text')
  await userEvent.click(screen.getByRole('button', { name: 'Hide password' }))
  expect(getPassword().type).toBe('password')
})

test('When the user opens the other form, then the requested page is kept', async () => {
  openPage(() => Promise.resolve(), { pathname: '/myevents', search: '' })
  await userEvent.click(screen.getByRole('link', { name: 'Sign up' }))
  expect(getUrl()).toBe('/register')
  expect((history.state as { usr: unknown }).usr).toEqual({ from: { pathname: '/myevents', search: '' } })
})
