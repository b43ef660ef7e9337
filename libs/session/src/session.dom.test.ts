import { beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { register, signIn, signOut } from './account.ts'
import { api, clearSession, getRole, initSession, site, useSession } from './session.ts'

const member = { _id: 'user-1', email: 'organiser@example.test', role: 'user' as const }
const credentials = { email: member.email, password: 'a password' }
const tokens = { accessToken: 'access-1', refreshToken: 'refresh-1' }

const calls: { path: string; body: unknown }[] = []

/** Replaces `fetch`; jsdom has no Response. */
const mockFetch = (respond: (path: string) => { status: number; body?: unknown }): void => {
  globalThis.fetch = (input, init) => {
    const path = new URL(input as string).pathname
    const requestBody = init?.body as string | undefined
    calls.push({ path, body: requestBody && JSON.parse(requestBody) })
    const { status, body } = respond(path)
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
const storedValues = () => ['accessToken', 'refreshToken', 'user'].map((key) => localStorage.getItem(key))
const nothingStored = [null, null, null]
const storeSession = (): void => store({ ...tokens, user: JSON.stringify(member) })

/** The event that a tab gets when another tab writes to local storage. */
const emitStorageEvent = (key: string | null): void => {
  window.dispatchEvent(new StorageEvent('storage', { key }))
}

const openPage = (): void => initSession({ brand: 'Confetti', apiUrl: 'https://api.example.test' })

beforeAll(() => {
  expect(site).toThrow('initSession')
  openPage()
})
beforeEach(() => {
  clearSession()
  localStorage.clear()
  calls.length = 0
  mockFetch(() => ({ status: 500, body: { message: 'Unexpected call.' } }))
})

describe('When the page opens', () => {
  beforeEach(() => useSession.setState({ status: 'restoring', user: undefined }))

  test('and a session is stored, then it is restored', () => {
    storeSession()
    openPage()
    expect(useSession.getState()).toMatchObject({ status: 'signed-in', user: member })
  })

  test('and nothing is stored, then the session is signed out', () => {
    openPage()
    expect(useSession.getState()).toMatchObject({ status: 'signed-out', user: undefined })
  })

  test('and a user is stored without a token, then the session is signed out', () => {
    store({ user: JSON.stringify(member) })
    openPage()
    expect(useSession.getState().status).toBe('signed-out')
  })

  test.each(['{"email":', 'null', '42', '{"name":"x"}'])(
    'and the stored user is %s, then it is removed and the session is signed out',
    (user) => {
      store({ ...tokens, user })
      openPage()
      expect(useSession.getState()).toMatchObject({ status: 'signed-out', user: undefined })
      expect(localStorage.getItem('user')).toBeNull()
    },
  )

  test('then the site is available', () => {
    expect(site()).toEqual({ brand: 'Confetti', apiUrl: 'https://api.example.test' })
  })
})

describe.each([
  ['signs in', signIn, '/api/auth/login', 'Login failed'],
  ['registers', register, '/api/auth/register', 'Registration failed'],
] as const)('When a user %s', (_, authenticate, path, fallback) => {
  test('and it succeeds, then the session is started and stored', async () => {
    mockFetch(() => ({ status: 200, body: { ...tokens, user: member } }))
    await authenticate(credentials)
    expect(calls).toEqual([{ path, body: credentials }])
    expect(useSession.getState()).toMatchObject({ status: 'signed-in', user: member })
    expect(storedValues()).toEqual(['access-1', 'refresh-1', JSON.stringify(member)])
  })

  test('and the server rejects it, then the error has its message and nothing is stored', async () => {
    storeSession()
    openPage()
    mockFetch(() => ({ status: 401, body: { message: 'Invalid email or password' } }))
    await expect(authenticate(credentials)).rejects.toThrow('Invalid email or password')
    expect(storedValues()).toEqual(nothingStored)
    expect(useSession.getState()).toMatchObject({ status: 'signed-out', user: undefined })
  })

  test.each([
    ['no tokens', { user: member }],
    ['no user', tokens],
    ['no body', undefined],
  ])('and the response has %s, then it fails', async (_what, body) => {
    mockFetch(() => ({ status: 200, body }))
    await expect(authenticate(credentials)).rejects.toThrow(fallback)
    expect(storedValues()).toEqual(nothingStored)
  })
})

describe('When a member signs out', () => {
  beforeEach(() => {
    storeSession()
    openPage()
  })

  test('then the server is called and nothing is stored', async () => {
    mockFetch(() => ({ status: 200, body: { message: 'Logged out' } }))
    await signOut()
    expect(calls).toEqual([{ path: '/api/auth/logout', body: { refreshToken: 'refresh-1' } }])
    expect(storedValues()).toEqual(nothingStored)
    expect(useSession.getState()).toMatchObject({ status: 'signed-out', user: undefined })
  })

  test('and the server call fails, then the error has its message and nothing is stored', async () => {
    mockFetch(() => ({ status: 500, body: { message: 'Internal error.' } }))
    await expect(signOut()).rejects.toThrow('Internal error.')
    expect(storedValues()).toEqual(nothingStored)
    expect(useSession.getState().status).toBe('signed-out')
  })

  test('and no refresh token is stored, then it rejects without a call, and nothing is stored', async () => {
    localStorage.removeItem('refreshToken')
    await expect(signOut()).rejects.toThrow('No refresh token found')
    expect(calls).toEqual([])
    expect(storedValues()).toEqual(nothingStored)
  })

  test('then signedOutByUser is true; when the session expires, it is false', async () => {
    mockFetch(() => ({ status: 200, body: {} }))
    await signOut()
    expect(useSession.getState().signedOutByUser).toBe(true)

    storeSession()
    openPage()
    mockFetch(() => ({ status: 401, body: { message: 'Your session has expired.' } }))
    await expect(api().get('/api/myevents')).rejects.toThrow('Your session has expired.')
    expect(useSession.getState()).toMatchObject({ status: 'signed-out', signedOutByUser: false })
    expect(storedValues()).toEqual(nothingStored)
  })
})

describe('When another tab', () => {
  test('signs in, then this tab is signed in', () => {
    storeSession()
    emitStorageEvent('user')
    expect(useSession.getState()).toMatchObject({ status: 'signed-in', user: member })
  })

  test.each(['accessToken', null])('signs out (%s), then this tab is signed out', (key) => {
    storeSession()
    openPage()
    localStorage.clear()
    emitStorageEvent(key)
    expect(useSession.getState()).toMatchObject({ status: 'signed-out', user: undefined })
  })

  test('writes another key, then the session does not change', () => {
    storeSession()
    openPage()
    const listener = jest.fn()
    const unsubscribe = useSession.subscribe(listener)
    emitStorageEvent('photoCredit')
    unsubscribe()
    expect(listener).not.toHaveBeenCalled()
  })
})

test('When a user has no role, then their role is user', () => {
  expect(getRole({})).toBe('user')
  expect(getRole({ role: 'admin' })).toBe('admin')
})
