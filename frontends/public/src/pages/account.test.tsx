import { beforeEach, expect, test } from '@jest/globals'
import { screen, waitFor } from '@testing-library/react'
import { useSession } from '@confetti/session'
import { closeToasts, renderPage, stubApi } from '../test/harness.tsx'
import { Account } from './account.tsx'

const CHANGE = 'POST /api/auth/password'
const LOGOUT_ALL = 'POST /api/auth/logout-all'

beforeEach(closeToasts)

const changePassword = async (user: ReturnType<typeof renderPage>): Promise<void> => {
  await user.type(screen.getByLabelText('Current password'), 'old')
  await user.type(screen.getByLabelText('New password'), 'new')
  await user.click(screen.getByRole('button', { name: 'Change Password' }))
}

test('When the password is changed, then the call carries the access token, and the new tokens are stored', async () => {
  const { requestsTo } = stubApi({
    [CHANGE]: () => ({ body: { message: 'Changed.', accessToken: 'access-2', refreshToken: 'refresh-2' } }),
  })
  const user = renderPage('/account', Account, { signedIn: true })
  await changePassword(user)
  await waitFor(() => expect(localStorage.getItem('accessToken')).toBe('access-2'))
  expect(localStorage.getItem('refreshToken')).toBe('refresh-2')
  expect(requestsTo(CHANGE)).toEqual([
    {
      call: CHANGE,
      body: { currentPassword: 'old', newPassword: 'new' },
      authorization: 'Bearer access-1',
    },
  ])
  expect(await screen.findByText('Your other devices have been signed out.')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe('')
})

test('When the current password is wrong, then its field says so, and the user stays signed in', async () => {
  const message = 'The current password is wrong.'
  const details = [{ field: 'currentPassword', message }]
  const { calls } = stubApi({
    [CHANGE]: () => ({ status: 400, body: { message, code: 'wrong_password', requestId: 'r', details } }),
  })
  const user = renderPage('/account', Account, { signedIn: true })
  await changePassword(user)
  await screen.findByText(message, { selector: 'p' })
  expect(document.activeElement).toBe(screen.getByLabelText('Current password'))
  expect(calls).toHaveLength(1)
  expect(useSession.getState().status).toBe('signed-in')
})

test('When signing out everywhere is confirmed, then the session ends on this device as well', async () => {
  const { requestsTo } = stubApi({ [LOGOUT_ALL]: () => ({ body: { message: 'Signed out everywhere.' } }) })
  const user = renderPage('/account', Account, { signedIn: true })
  await user.click(screen.getByRole('button', { name: 'Sign Out Everywhere' }))
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(requestsTo(LOGOUT_ALL)).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Sign Out Everywhere' }))
  await user.click(screen.getByRole('button', { name: 'Sign Out' }))
  await waitFor(() => expect(useSession.getState().status).toBe('signed-out'))
  expect(requestsTo(LOGOUT_ALL)).toMatchObject([{ authorization: 'Bearer access-1' }])
  expect(localStorage.getItem('refreshToken')).toBeNull()
})

test('When signing out everywhere fails, then a toast says so, and the user stays signed in', async () => {
  stubApi({
    [LOGOUT_ALL]: () => ({
      status: 503,
      body: { message: 'Try again.', code: 'unavailable', requestId: 'r' },
    }),
  })
  const user = renderPage('/account', Account, { signedIn: true })
  await user.click(screen.getByRole('button', { name: 'Sign Out Everywhere' }))
  await user.click(screen.getByRole('button', { name: 'Sign Out' }))
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('Try again.'))
  expect(useSession.getState().status).toBe('signed-in')
})
