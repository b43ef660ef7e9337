import { beforeEach, expect, test } from '@jest/globals'
import { screen, waitFor } from '@testing-library/react'
import { closeToasts, renderPage, stubApi } from '../test/harness.tsx'
import { ForgotPassword } from './forgot-password.tsx'
import { Register } from './sign-in.tsx'

const SETTINGS = 'GET /api/auth/settings'
const FORGOT = 'POST /api/auth/forgot-password'
const settings = (registration: 'open' | 'invitation', mail: 'on' | 'off') => () => ({
  body: { registration, mail },
})
const answer = (mail: 'on' | 'off') => () => ({ status: 202, body: { message: 'Answered.', mail } })

beforeEach(closeToasts)

test('When a link is requested, then the page says what to look for, and its heading has the focus', async () => {
  const { requestsTo } = stubApi({ [SETTINGS]: settings('open', 'on'), [FORGOT]: answer('on') })
  const user = renderPage('/forgot-password', ForgotPassword)
  await user.type(screen.getByLabelText('Email'), 'me@example.test')
  await user.click(screen.getByRole('button', { name: 'Send Link' }))
  const heading = await screen.findByRole('heading', { name: 'Check your mail' })
  expect(document.activeElement).toBe(heading)
  expect(screen.getByText(/^If me@example\.test has an account/)).toBeTruthy()
  expect(requestsTo(FORGOT)).toEqual([
    { call: FORGOT, body: { email: 'me@example.test' }, authorization: undefined },
  ])
})

test('When the system sends no mail, then the page says whom to ask instead of showing the form', async () => {
  stubApi({ [SETTINGS]: settings('open', 'off') })
  renderPage('/forgot-password', ForgotPassword)
  await screen.findByRole('heading', { name: 'Ask an admin for help' })
  expect(screen.queryByLabelText('Email')).toBeNull()
})

test('When the settings cannot be loaded, then the form works, and its answer says that there is no mail', async () => {
  stubApi({ [FORGOT]: answer('off') })
  const user = renderPage('/forgot-password', ForgotPassword)
  await user.type(screen.getByLabelText('Email'), 'me@example.test')
  await user.click(screen.getByRole('button', { name: 'Send Link' }))
  await screen.findByRole('heading', { name: 'Ask an admin for help' })
})

test('When there were too many requests, then a toast says so, and the form stays', async () => {
  const message = 'Too many attempts. Please try again later.'
  stubApi({
    [SETTINGS]: settings('open', 'on'),
    [FORGOT]: () => ({ status: 429, body: { message, code: 'too_many_requests', requestId: 'r' } }),
  })
  const user = renderPage('/forgot-password', ForgotPassword)
  await user.type(screen.getByLabelText('Email'), 'me@example.test')
  await user.click(screen.getByRole('button', { name: 'Send Link' }))
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain(message))
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('me@example.test')
})

test('When accounts are by invitation only, then the register page says so instead of showing the form', async () => {
  stubApi({ [SETTINGS]: settings('invitation', 'off') })
  renderPage('/register', Register)
  await screen.findByRole('heading', { name: 'By invitation only' })
  expect(screen.queryByLabelText('Password')).toBeNull()
  expect(screen.getByRole('link', { name: 'Go to sign-in' }).getAttribute('href')).toBe('/login')
})
