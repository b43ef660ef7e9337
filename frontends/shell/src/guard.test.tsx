import { beforeEach, expect, test } from '@jest/globals'
import { act, render, screen } from '@testing-library/react'
import type { Role } from '@confetti/contracts'
import { BrowserRouter, useLocation, type Location } from '@confetti/federation/router'
import { useSession } from '@confetti/session'
import { Guard } from './guard.tsx'
import { addTexts } from './texts.ts'

addTexts()

type Session = ReturnType<typeof useSession.getState>

const setSession = (session: Partial<Session>): void => useSession.setState(session)
const memberWith = (role: Role | undefined): Partial<Session> => ({
  status: 'signed-in',
  user: { _id: 'user-1', email: 'organiser@example.test', role } as Session['user'],
})

const CurrentLocation = () => {
  const { pathname, state } = useLocation()
  const from = (state as { from?: Location } | null)?.from
  return (
    <p data-testid="location">
      {pathname}
      {from && ` from ${from.pathname}${from.search}`}
    </p>
  )
}
const currentLocation = () => screen.getByTestId('location').textContent
const queryContent = () => screen.queryByText('For members')

/** As in the shell, some paths are public. */
const Screens = ({ roles }: { roles: readonly Role[] | undefined }) => {
  const { pathname } = useLocation()
  const isPublic = pathname === '/' || pathname === '/login'
  return isPublic ? null : <Guard roles={roles}>For members</Guard>
}

const visit = (path: string, roles?: readonly Role[]): void => {
  history.replaceState(null, '', path)
  render(
    <BrowserRouter>
      <CurrentLocation />
      <Screens roles={roles} />
    </BrowserRouter>,
  )
}

beforeEach(() => setSession({ status: 'signed-out', user: undefined, signedOutByUser: false }))

test('When no user is signed in, then they are redirected to /login with the requested page', () => {
  visit('/events/abc?tab=past', ['admin'])
  expect(currentLocation()).toBe('/login from /events/abc?tab=past')
  expect(queryContent()).toBeNull()
})

test('When a user signs out, then /login has no page to return to', () => {
  setSession(memberWith('user'))
  visit('/myevents', ['user'])
  act(() => setSession({ status: 'signed-out', user: undefined, signedOutByUser: true }))
  expect(currentLocation()).toBe('/login')
})

test('When a user has signed out, then the flag is reset, so that the next requested page is remembered', () => {
  setSession(memberWith('user'))
  visit('/myevents', ['user'])
  act(() => setSession({ status: 'signed-out', user: undefined, signedOutByUser: true }))
  expect(useSession.getState().signedOutByUser).toBe(false)
})

test('When the session expires, then /login has the page to return to', () => {
  setSession(memberWith('user'))
  visit('/myevents', ['user'])
  act(() => setSession({ status: 'signed-out', user: undefined, signedOutByUser: false }))
  expect(currentLocation()).toBe('/login from /myevents')
})

test('When the stored session is not read yet, then it shows Loading and does not redirect', () => {
  setSession({ status: 'restoring', user: undefined })
  visit('/myevents', ['user'])
  expect(screen.getByText('Loading...')).toBeTruthy()
  expect(currentLocation()).toBe('/myevents')
})

test.each<[Role, Role]>([
  ['user', 'admin'],
  ['admin', 'user'],
])(
  'When a user with role %s opens a page for role %s, then they are redirected to the start page',
  (role, allowed) => {
    setSession(memberWith(role))
    visit('/somewhere', [allowed])
    expect(currentLocation()).toBe('/')
    expect(queryContent()).toBeNull()
  },
)

test('When a user has the role, then the page is shown', () => {
  setSession(memberWith('admin'))
  visit('/events', ['admin'])
  expect(queryContent()).toBeTruthy()
  expect(currentLocation()).toBe('/events')
})

test('When a user has no role, then it counts as role user', () => {
  setSession(memberWith(undefined))
  visit('/myevents', ['user'])
  expect(queryContent()).toBeTruthy()
})

test('When no role is required, then the page is shown to every signed-in user', () => {
  setSession(memberWith('admin'))
  visit('/welcome')
  expect(queryContent()).toBeTruthy()
})
