/** @jest-environment jsdom */
import { beforeEach, expect, test } from '@jest/globals'
import { act, render, screen } from '@testing-library/react'
import type { Role } from '@confetti/contracts'
import { BrowserRouter, useLocation, type Location } from '@confetti/federation/router'
import { useSession } from '@confetti/session'
import { Guard } from './guard.tsx'

type Session = ReturnType<typeof useSession.getState>

const be = (session: Partial<Session>): void => useSession.setState(session)
const memberWith = (role: Role | undefined): Partial<Session> => ({
  status: 'signed-in',
  user: { _id: 'user-1', email: 'organiser@example.test', role } as Session['user'],
})

const Here = () => {
  const { pathname, state } = useLocation()
  const from = (state as { from?: Location } | null)?.from
  return (
    <p data-testid="here">
      {pathname}
      {from && ` from ${from.pathname}${from.search}`}
    </p>
  )
}
const here = () => screen.getByTestId('here').textContent
const secret = () => screen.queryByText('For members')

/** As the shell does it: what is not guarded stands open. */
const Screens = ({ roles }: { roles: readonly Role[] | undefined }) => {
  const { pathname } = useLocation()
  const open = pathname === '/' || pathname === '/login'
  return open ? null : <Guard roles={roles}>For members</Guard>
}

const visit = (path: string, roles?: readonly Role[]): void => {
  history.replaceState(null, '', path)
  render(
    <BrowserRouter>
      <Here />
      <Screens roles={roles} />
    </BrowserRouter>,
  )
}

beforeEach(() => be({ status: 'signed-out', user: undefined, leftOnPurpose: false }))

test('When nobody is signed in, then the way leads to /login, which knows where it began', () => {
  visit('/events/abc?tab=past', ['admin'])
  expect(here()).toBe('/login from /events/abc?tab=past')
  expect(secret()).toBeNull()
})

test('When a member has signed out on purpose, then /login leads nowhere back', () => {
  be(memberWith('user'))
  visit('/myevents', ['user'])
  act(() => be({ status: 'signed-out', user: undefined, leftOnPurpose: true }))
  expect(here()).toBe('/login')
})

test('When a member has signed out, then that holds for once: the next page asked for is remembered', () => {
  be(memberWith('user'))
  visit('/myevents', ['user'])
  act(() => be({ status: 'signed-out', user: undefined, leftOnPurpose: true }))
  expect(useSession.getState().leftOnPurpose).toBe(false)
})

test('When the session ends by itself, then /login knows the way back', () => {
  be(memberWith('user'))
  visit('/myevents', ['user'])
  act(() => be({ status: 'signed-out', user: undefined, leftOnPurpose: false }))
  expect(here()).toBe('/login from /myevents')
})

test('When the stored session is not read yet, then it waits and sends nobody away', () => {
  be({ status: 'restoring', user: undefined })
  visit('/myevents', ['user'])
  expect(screen.getByText('Loading...')).toBeTruthy()
  expect(here()).toBe('/myevents')
})

test.each<[Role, Role]>([
  ['user', 'admin'],
  ['admin', 'user'],
])('When a member with role %s opens what is for %s, then they are sent to the start', (role, allowed) => {
  be(memberWith(role))
  visit('/somewhere', [allowed])
  expect(here()).toBe('/')
  expect(secret()).toBeNull()
})

test('When a member has the role, then they are let in', () => {
  be(memberWith('admin'))
  visit('/events', ['admin'])
  expect(secret()).toBeTruthy()
  expect(here()).toBe('/events')
})

test('When a member has no role, then they count as a user', () => {
  be(memberWith(undefined))
  visit('/myevents', ['user'])
  expect(secret()).toBeTruthy()
})

test('When no role is asked for, then every member is let in', () => {
  be(memberWith('admin'))
  visit('/welcome')
  expect(secret()).toBeTruthy()
})
