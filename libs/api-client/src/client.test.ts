/** @jest-environment jsdom */
import { beforeEach, describe, expect, jest, test } from '@jest/globals'
import { createApiClient } from './client.ts'
import { ApiError } from './errors.ts'
import { onLoading } from './loading.ts'
import { accessToken, keepTokens, refreshToken } from './stored-tokens.ts'

interface Call {
  url: URL
  method: string
  headers: Record<string, string>
  body: unknown
}

/** A response as far as the client looks at it: jsdom has none of its own. */
const response = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  ({
    ok: status >= 200 && status < 300,
    status,
    headers: { get: (name: string) => headers[name] ?? null },
    text: () => (body instanceof Promise ? body : Promise.resolve(asText(body))),
  }) as unknown as Response
const asText = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body))

type Server = (call: Call) => Response | Promise<Response>

const calls: Call[] = []
const sessionEnded = jest.fn()
const client = createApiClient({ baseUrl: 'https://api.example.test', sessionEnded })

/** Answers for the network. */
const serve = (server: Server): void => {
  globalThis.fetch = async (input, { method = 'GET', headers, body, signal } = {}) => {
    signal?.throwIfAborted()
    const call = {
      url: new URL(input as string),
      method,
      headers: headers as Record<string, string>,
      body: typeof body === 'string' ? (JSON.parse(body) as unknown) : body,
    }
    calls.push(call)
    const calledOff = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error))
    })
    return Promise.race([calledOff, (async () => server(call))()])
  }
}

const firstCall = (): Call => {
  const [first] = calls
  if (!first) throw new Error('Nothing was called.')
  return first
}
const pathsCalled = (): string[] => calls.map(({ url }) => url.pathname)
const refreshes = (): Call[] => calls.filter(({ url }) => url.pathname === '/api/auth/refresh')
const bearerOf = ({ headers }: Call): string | undefined => headers.Authorization

const newTokens = { accessToken: 'access-2', refreshToken: 'refresh-2' }
const denied = (status = 401): Response =>
  response(status, { message: 'Not with this token.', code: 'denied' })
const whenExpired =
  (refresh: Server, status = 401): Server =>
  (call) => {
    if (call.url.pathname === '/api/auth/refresh') return refresh(call)
    return bearerOf(call) === 'Bearer access-2' ? response(200, { events: [] }) : denied(status)
  }
const connectionLost = (): never => {
  throw new TypeError('Failed to fetch')
}

beforeEach(() => {
  calls.length = 0
  sessionEnded.mockClear()
  localStorage.clear()
})

describe('What a call carries', () => {
  test('When a member calls, then the token, the moment and the headers against caches go along', async () => {
    keepTokens({ accessToken: 'access-1', refreshToken: 'refresh-1' })
    serve(() => response(200, { message: 'Sent' }))
    const before = Date.now()
    await client.post('/api/contact-admin', { body: { subject: 'Stalls', message: 'One more day' } })

    const { url, method, headers, body } = firstCall()
    expect(method).toBe('POST')
    expect(url.origin + url.pathname).toBe('https://api.example.test/api/contact-admin')
    expect(Number(url.searchParams.get('_ts'))).toBeGreaterThanOrEqual(before)
    expect(headers).toMatchObject({
      Authorization: 'Bearer access-1',
      'Content-Type': 'application/json',
      'Cache-Control': 'no-cache',
      Pragma: 'no-cache',
    })
    expect(body).toEqual({ subject: 'Stalls', message: 'One more day' })
  })

  test('When nobody is signed in, then no token goes along', async () => {
    serve(() => response(200, { events: [] }))
    await client.get('/api/events/active')
    expect(bearerOf(firstCall())).toBeUndefined()
  })

  test('When a path and a query have values, then they are written so that they stay one piece', async () => {
    serve(() => response(200, { uploads: [] }))
    const query = { limit: 10, after: undefined }
    await client.get('/api/myevents/uploads/{eventId}', { params: { eventId: 'a/b?c' }, query })
    const { url } = firstCall()
    expect(url.pathname).toBe('/api/myevents/uploads/a%2Fb%3Fc')
    expect(url.searchParams.get('limit')).toBe('10')
    expect(url.searchParams.has('after')).toBe(false)
  })

  test('When a guest calls in the browser of a member, then the guest token goes along and no other', async () => {
    keepTokens({ accessToken: 'access-1', refreshToken: 'refresh-1' })
    serve(() => response(200, { name: 'Harbour summer fair' }, { 'X-Guest-Token': 'guest-1' }))
    const call = () => client.get('/api/events/{eventId}', { params: { eventId: '1' }, asGuest: true })
    await call()
    await call()

    expect(calls.map(bearerOf)).toEqual([undefined, undefined])
    expect(calls.map(({ headers }) => headers['X-Guest-Token'])).toEqual([undefined, 'guest-1'])
  })

  test('When a guest is refused, then the session of the member is left alone', async () => {
    keepTokens({ accessToken: 'access-1', refreshToken: 'refresh-1' })
    serve(() => denied())
    const call = client.get('/api/events/{eventId}', { params: { eventId: '1' }, asGuest: true })
    await expect(call).rejects.toMatchObject({ status: 401 })
    expect(refreshes()).toEqual([])
    expect(accessToken()).toBe('access-1')
  })
})

describe('When the access token has expired', () => {
  beforeEach(() => keepTokens({ accessToken: 'access-1', refreshToken: 'refresh-1' }))

  test.each([401, 403])(
    'and the answer is %i, then it is refreshed and the call sent once more',
    async (status) => {
      serve(whenExpired(() => response(200, newTokens), status))
      await expect(client.get('/api/myevents')).resolves.toEqual({ events: [] })

      expect(pathsCalled()).toEqual(['/api/myevents', '/api/auth/refresh', '/api/myevents'])
      expect(refreshes()[0]?.body).toEqual({ refreshToken: 'refresh-1' })
      expect(refreshes().map(bearerOf)).toEqual([undefined])
      expect([accessToken(), refreshToken()]).toEqual(['access-2', 'refresh-2'])
      expect(sessionEnded).not.toHaveBeenCalled()
    },
  )

  test('and the new one is refused, too, then that is the answer: nothing is tried a third time', async () => {
    serve(({ url }) => (url.pathname === '/api/auth/refresh' ? response(200, newTokens) : denied(403)))
    await expect(client.get('/api/myevents')).rejects.toMatchObject({
      status: 403,
      message: 'Not with this token.',
    })
    expect(pathsCalled()).toEqual(['/api/myevents', '/api/auth/refresh', '/api/myevents'])
    expect(sessionEnded).not.toHaveBeenCalled()
  })

  test('for several calls side by side, then one refresh serves them all', async () => {
    serve(whenExpired(() => response(200, newTokens)))
    await Promise.all([
      client.get('/api/myevents'),
      client.get('/api/events/active'),
      client.get('/api/users'),
    ])
    expect(refreshes()).toHaveLength(1)
    expect(calls).toHaveLength(7)
  })

  test('and again later, then it is refreshed again', async () => {
    serve(whenExpired(() => response(200, newTokens)))
    await client.get('/api/myevents')
    keepTokens({ accessToken: 'access-3', refreshToken: 'refresh-3' })
    await client.get('/api/myevents')
    expect(refreshes().map(({ body }) => body)).toEqual([
      { refreshToken: 'refresh-1' },
      { refreshToken: 'refresh-3' },
    ])
  })

  test.each([400, 401, 403])(
    'and the refresh is refused with %i, then the session has ended',
    async (status) => {
      serve(whenExpired(() => response(status, { message: 'Your session has expired.', code: 'x' })))
      await expect(client.get('/api/myevents')).rejects.toMatchObject({ status: 401 })
      expect([accessToken(), refreshToken()]).toEqual([undefined, undefined])
      expect(sessionEnded).toHaveBeenCalledTimes(1)
      expect(pathsCalled()).toEqual(['/api/myevents', '/api/auth/refresh'])
    },
  )

  test('and there is no refresh token, then the session has ended without asking', async () => {
    localStorage.removeItem('refreshToken')
    serve(whenExpired(() => response(200, newTokens)))
    await expect(client.get('/api/myevents')).rejects.toMatchObject({ status: 401 })
    expect(refreshes()).toEqual([])
    expect(sessionEnded).toHaveBeenCalledTimes(1)
  })

  test.each<[string, Server]>([
    ['the connection is lost', connectionLost],
    ['the server is busy', () => response(503, { message: 'Please try again.', code: 'busy' })],
    ['a captive portal answers', () => response(200, '<html>Accept our terms</html>')],
    ['the answer holds no tokens', () => response(200, {})],
  ])('and %s in the refresh, then nobody is signed out', async (_, refresh) => {
    serve(whenExpired(refresh))
    await expect(client.get('/api/myevents')).rejects.toMatchObject({ passing: true })
    expect([accessToken(), refreshToken()]).toEqual(['access-1', 'refresh-1'])
    expect(sessionEnded).not.toHaveBeenCalled()

    serve(whenExpired(() => response(200, newTokens)))
    await expect(client.get('/api/myevents')).resolves.toEqual({ events: [] })
  })

  test('and the member signs out meanwhile, then the tokens that come late sign nobody in', async () => {
    serve(
      whenExpired(() => {
        localStorage.clear()
        return response(200, newTokens)
      }),
    )
    await expect(client.get('/api/myevents')).rejects.toMatchObject({ status: 401 })
    expect([accessToken(), refreshToken()]).toEqual([undefined, undefined])
  })

  test('and the refresh never answers, then it is given up and the session is kept', async () => {
    jest.useFakeTimers()
    try {
      serve(whenExpired(() => new Promise(() => undefined)))
      const failing = expect(client.get('/api/myevents')).rejects.toMatchObject({ passing: true })
      await jest.runAllTimersAsync()
      await failing
      expect([accessToken(), refreshToken()]).toEqual(['access-1', 'refresh-1'])
      expect(sessionEnded).not.toHaveBeenCalled()
    } finally {
      jest.useRealTimers()
    }
  })

  test('and the page goes while the refresh hangs, then its call does not wait', async () => {
    const answer = Promise.withResolvers<Response>()
    serve(whenExpired(() => answer.promise))
    const page = new AbortController()
    const failing = expect(client.get('/api/myevents', { signal: page.signal })).rejects.toThrow('gone')
    while (refreshes().length === 0) await Promise.resolve()
    page.abort(new Error('gone'))
    await failing
    answer.resolve(response(200, newTokens))
  })

  test('and another tab has refreshed it already, then its tokens are used', async () => {
    const locks = {
      request: (_: string, work: () => Promise<unknown>) => {
        keepTokens(newTokens)
        return work()
      },
    }
    Object.defineProperty(navigator, 'locks', { configurable: true, value: locks })
    try {
      serve(whenExpired(() => response(200, { accessToken: 'access-9', refreshToken: 'refresh-9' })))
      await expect(client.get('/api/myevents')).resolves.toEqual({ events: [] })
      expect(refreshes()).toEqual([])
    } finally {
      Reflect.deleteProperty(navigator, 'locks')
    }
  })

  test('and the call is about the account itself, then it carries no token and nothing is refreshed', async () => {
    serve(() => response(401, { message: 'Invalid email or password', code: 'unauthorized' }))
    const signIn = client.post('/api/auth/login', { body: { email: 'a@example.test', password: 'wrong' } })
    await expect(signIn).rejects.toThrow('Invalid email or password')
    expect(pathsCalled()).toEqual(['/api/auth/login'])
    expect(bearerOf(firstCall())).toBeUndefined()
    expect(accessToken()).toBe('access-1')
  })
})

describe('When an answer is none', () => {
  test('because the connection is lost, then the message says so and the call may be tried again', async () => {
    serve(connectionLost)
    const error = await client.get('/api/myevents').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      status: 0,
      passing: true,
      message: 'The connection was lost. Please try again.',
    })
  })

  test('because it breaks off in the middle, then it counts as a lost connection', async () => {
    serve(() => response(200, Promise.reject(new TypeError('network error'))))
    await expect(client.get('/api/myevents')).rejects.toMatchObject({ status: 0 })
  })

  test('because a captive portal answers with its own page, then it counts as a lost connection', async () => {
    serve(() => response(200, '<html>Accept our terms</html>'))
    await expect(client.get('/api/myevents')).rejects.toMatchObject({ status: 0, passing: true })
  })

  test('because a proxy answers with a page of its own, then nobody is shown its source', async () => {
    serve(() => response(502, '<html><h1>502 Bad Gateway</h1></html>'))
    await expect(client.get('/api/myevents')).rejects.toMatchObject({
      status: 502,
      passing: true,
      message: 'Something went wrong.',
    })
  })

  test('because the page has called it off, then it rejects with the reason and not with a failure', async () => {
    const leaving = new AbortController()
    serve(() => {
      leaving.abort()
      throw new DOMException('The user aborted a request.', 'AbortError')
    })
    const error = await client
      .get('/api/myevents', { signal: leaving.signal })
      .catch((thrown: unknown) => thrown)
    expect(error).toBe(leaving.signal.reason)
  })
})

describe('What the loading overlay hears', () => {
  const heard = async (work: () => Promise<unknown>): Promise<number[]> => {
    const counts: number[] = []
    const stop = onLoading((underWay) => counts.push(underWay))
    await work().catch(() => undefined)
    stop()
    return counts
  }

  test('When a call succeeds or fails, then its start and its end are told', async () => {
    serve(() => response(200, { events: [] }))
    expect(await heard(() => client.get('/api/myevents'))).toEqual([1, 0])
    serve(connectionLost)
    expect(await heard(() => client.get('/api/myevents'))).toEqual([1, 0])
    serve(() => denied(500))
    expect(await heard(() => client.get('/api/myevents'))).toEqual([1, 0])
  })

  test('When two calls overlap, then it has ended with the last', async () => {
    serve(() => response(200, { events: [] }))
    const both = () => Promise.all([client.get('/api/myevents'), client.get('/api/events/active')])
    expect(await heard(both)).toEqual([1, 2, 1, 0])
  })

  test('When work is in the background, then nothing is told', async () => {
    serve(() => response(200, { events: [] }))
    expect(await heard(() => client.get('/api/myevents', { quiet: true }))).toEqual([])
  })
})
