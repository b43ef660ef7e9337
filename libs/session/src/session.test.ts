/** @jest-environment jsdom */
import { beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { register, signIn, signOut } from './account.ts'
import { api, forgetSession, openSession, roleOf, site, useSession } from './session.ts'

const member = { _id: 'user-1', email: 'organiser@example.test', role: 'user' as const }
const credentials = { email: member.email, password: 'a password' }
const tokens = { accessToken: 'access-1', refreshToken: 'refresh-1' }

const calls: { path: string; body: unknown }[] = []

/** Answers for the network; jsdom has no Response of its own. */
const serve = (answer: (path: string) => { status: number; body?: unknown }): void => {
  globalThis.fetch = (input, init) => {
    const path = new URL(input as string).pathname
    const sent = init?.body as string | undefined
    calls.push({ path, body: sent && JSON.parse(sent) })
    const { status, body } = answer(path)
    return Promise.resolve({
      ok: status < 300,
      status,
      headers: { get: () => null },
      text: () => Promise.resolve(body === undefined ? '' : JSON.stringify(body)),
    } as unknown as Response)
  }
}

const store = (values: Record<string, string>): void => {
  for (const [name, value] of Object.entries(values)) localStorage.setItem(name, value)
}
const stored = () => ['accessToken', 'refreshToken', 'user'].map((key) => localStorage.getItem(key))
const nothing = [null, null, null]
const signedInOnDevice = (): void => store({ ...tokens, user: JSON.stringify(member) })

/** What this tab hears when another one has written. */
const otherTabWrote = (key: string | null): void => {
  window.dispatchEvent(new StorageEvent('storage', { key }))
}

const open = (): void => openSession({ brand: 'Confetti', apiUrl: 'https://api.example.test' })

beforeAll(() => {
  expect(site).toThrow('openSession')
  open()
})
beforeEach(() => {
  forgetSession()
  localStorage.clear()
  calls.length = 0
  serve(() => ({ status: 500, body: { message: 'Not expected here.' } }))
})

describe('When the page opens', () => {
  test('and a session is stored, then it goes on', () => {
    signedInOnDevice()
    open()
    expect(useSession.getState()).toMatchObject({ status: 'signed-in', user: member })
  })

  test('and nothing is stored, then nobody is signed in', () => {
    open()
    expect(useSession.getState()).toMatchObject({ status: 'signed-out', user: undefined })
  })

  test('and there is a user without a token, then nobody is signed in', () => {
    store({ user: JSON.stringify(member) })
    open()
    expect(useSession.getState().status).toBe('signed-out')
  })

  test.each(['{"email":', 'null', '42', '{"name":"x"}'])(
    'and the stored user is %s, then it is removed and nobody is signed in',
    (user) => {
      store({ ...tokens, user })
      open()
      expect(useSession.getState()).toMatchObject({ status: 'signed-out', user: undefined })
      expect(localStorage.getItem('user')).toBeNull()
    },
  )

  test('then it knows which site it belongs to', () => {
    expect(site()).toEqual({ brand: 'Confetti', apiUrl: 'https://api.example.test' })
  })
})

describe.each([
  ['signing in', signIn, '/api/auth/login', 'Login failed'],
  ['registering', register, '/api/auth/register', 'Registration failed'],
] as const)('When somebody is %s', (_, enter, path, fallback) => {
  test('and it succeeds, then the session is there and stored', async () => {
    serve(() => ({ status: 200, body: { ...tokens, user: member } }))
    await enter(credentials)
    expect(calls).toEqual([{ path, body: credentials }])
    expect(useSession.getState()).toMatchObject({ status: 'signed-in', user: member })
    expect(stored()).toEqual(['access-1', 'refresh-1', JSON.stringify(member)])
  })

  test('and the server refuses, then its words are the error and nothing stays', async () => {
    signedInOnDevice()
    open()
    serve(() => ({ status: 401, body: { message: 'Invalid email or password' } }))
    await expect(enter(credentials)).rejects.toThrow('Invalid email or password')
    expect(stored()).toEqual(nothing)
    expect(useSession.getState()).toMatchObject({ status: 'signed-out', user: undefined })
  })

  test.each([
    ['no tokens', { user: member }],
    ['no user', tokens],
    ['nothing at all', undefined],
  ])('and the answer holds %s, then it failed', async (_what, body) => {
    serve(() => ({ status: 200, body }))
    await expect(enter(credentials)).rejects.toThrow(fallback)
    expect(stored()).toEqual(nothing)
  })
})

describe('When a member signs out', () => {
  beforeEach(() => {
    signedInOnDevice()
    open()
  })

  test('then the server is told and nothing stays', async () => {
    serve(() => ({ status: 200, body: { message: 'Logged out' } }))
    await signOut()
    expect(calls).toEqual([{ path: '/api/auth/logout', body: { refreshToken: 'refresh-1' } }])
    expect(stored()).toEqual(nothing)
    expect(useSession.getState()).toMatchObject({ status: 'signed-out', user: undefined })
  })

  test('and the server fails, then its words are the error and nothing stays all the same', async () => {
    serve(() => ({ status: 500, body: { message: 'Out of order.' } }))
    await expect(signOut()).rejects.toThrow('Out of order.')
    expect(stored()).toEqual(nothing)
    expect(useSession.getState().status).toBe('signed-out')
  })

  test('and no refresh token is stored, then it says so without asking, and nothing stays', async () => {
    localStorage.removeItem('refreshToken')
    await expect(signOut()).rejects.toThrow('No refresh token found')
    expect(calls).toEqual([])
    expect(stored()).toEqual(nothing)
  })

  test('then it was on purpose; where the session ends by itself, it was not', async () => {
    serve(() => ({ status: 200, body: {} }))
    await signOut()
    expect(useSession.getState().leftOnPurpose).toBe(true)

    signedInOnDevice()
    open()
    serve(() => ({ status: 401, body: { message: 'Your session has expired.' } }))
    await expect(api().get('/api/myevents')).rejects.toThrow('Your session has expired.')
    expect(useSession.getState()).toMatchObject({ status: 'signed-out', leftOnPurpose: false })
    expect(stored()).toEqual(nothing)
  })
})

describe('When another tab', () => {
  test('signs in, then this one is signed in, too', () => {
    signedInOnDevice()
    otherTabWrote('user')
    expect(useSession.getState()).toMatchObject({ status: 'signed-in', user: member })
  })

  test.each(['accessToken', null])('signs out (%s), then this one is signed out, too', (key) => {
    signedInOnDevice()
    open()
    localStorage.clear()
    otherTabWrote(key)
    expect(useSession.getState()).toMatchObject({ status: 'signed-out', user: undefined })
  })

  test('writes something else, then nothing is looked at', () => {
    signedInOnDevice()
    open()
    const looked = jest.fn()
    const stop = useSession.subscribe(looked)
    otherTabWrote('photoCredit')
    stop()
    expect(looked).not.toHaveBeenCalled()
  })
})

test('When a user has no role, then it is that of a user', () => {
  expect(roleOf({})).toBe('user')
  expect(roleOf({ role: 'admin' })).toBe('admin')
})
