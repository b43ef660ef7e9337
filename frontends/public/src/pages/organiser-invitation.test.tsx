import { beforeEach, expect, test } from '@jest/globals'
import { screen, waitFor } from '@testing-library/react'
import { useSession } from '@confetti/session'
import { closeToasts, renderPage, stubApi } from '../test/harness.tsx'
import { OrganiserInvitation } from './organiser-invitation.tsx'

const ACCEPT = 'POST /api/organiser-invitations'
const READ = 'POST /api/organiser-invitations/details'
const at = '/organiser-invitation#token=abc.d-_e'
const event = { _id: '66aa00000000000000000001', name: 'Garden wedding' }
const accept = () => screen.getByRole('button', { name: 'Accept invitation' })

beforeEach(closeToasts)

test('When the invitation is accepted, then the token is sent, and the event replaces the address', async () => {
  const { requestsTo } = stubApi({ [ACCEPT]: () => ({ body: { event } }) })
  const entries = history.length
  const user = renderPage(at, OrganiserInvitation, { signedIn: true })
  expect(screen.getByText(/^You are signed in as organiser@example.test/)).toBeTruthy()
  expect(requestsTo(ACCEPT)).toEqual([])
  await user.click(accept())
  await waitFor(() => expect(location.pathname + location.hash).toBe(`/myevents/${event._id}`))
  expect(history.length).toBe(entries)
  expect(requestsTo(ACCEPT).map(({ body }) => body)).toEqual([{ token: 'abc.d-_e' }])
  expect(screen.getByRole('status').textContent).toContain('You now organise Garden wedding')
})

test('When somebody is invited, then the page says by whom, to what, and which address the mail went to', async () => {
  stubApi({
    [READ]: () => ({ body: { event, invitedBy: 'marta@example.test', email: 'tom@example.test' } }),
  })
  renderPage(at, OrganiserInvitation, { signedIn: true })
  await screen.findByText(/^marta@example.test has invited you to organise Garden wedding/)
  expect(screen.getByText('The invitation was sent to tom@example.test.')).toBeTruthy()
})

test('When the link no longer works, then the page says so before it is accepted', async () => {
  stubApi({
    [READ]: () => ({ status: 404, body: { message: 'No.', code: 'link_invalid', requestId: 'r' } }),
  })
  renderPage(at, OrganiserInvitation, { signedIn: true })
  await screen.findByRole('heading', { name: 'This link no longer works' })
})

test('When the link has been used meanwhile, then the page says so', async () => {
  stubApi({
    [ACCEPT]: () => ({ status: 404, body: { message: 'No.', code: 'link_invalid', requestId: 'r' } }),
  })
  const user = renderPage(at, OrganiserInvitation, { signedIn: true })
  await user.click(accept())
  await screen.findByRole('heading', { name: 'This link no longer works' })
})

test('When the address has no token, then the page says so', () => {
  stubApi({})
  renderPage('/organiser-invitation', OrganiserInvitation, { signedIn: true })
  expect(screen.getByRole('heading', { name: 'This link no longer works' })).toBeTruthy()
})

test('When the event has all its organisers, then the page says so, and the button stays', async () => {
  stubApi({
    [ACCEPT]: () => ({
      status: 409,
      body: { message: 'It is full.', code: 'too_many_organisers', requestId: 'r' },
    }),
  })
  const user = renderPage(at, OrganiserInvitation, { signedIn: true })
  await user.click(accept())
  await screen.findByText('It is full.')
  expect(accept()).toBeTruthy()
})

test('When another account is to be used, then the session ends, and the sign-in may lead back', async () => {
  const LOGOUT = 'POST /api/auth/logout'
  const { requestsTo } = stubApi({ [LOGOUT]: () => ({ body: { message: 'Logged out' } }) })
  const user = renderPage(at, OrganiserInvitation, { signedIn: true })
  await user.click(screen.getByRole('button', { name: 'Use another account' }))
  await waitFor(() => expect(requestsTo(LOGOUT)).toHaveLength(1))
  expect(useSession.getState()).toMatchObject({ user: undefined, signedOutByUser: false })
})
