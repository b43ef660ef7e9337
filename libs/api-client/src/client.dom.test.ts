import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { createApiClient } from './client.ts'
import { ApiError } from './errors.ts'
import { onLoading } from './loading.ts'
import { getAccessToken, getRefreshToken, saveTokens } from './token-storage.ts'

interface Call {
  url: URL
  method: string
  headers: Record<string, string>
  body: unknown
}

/** A response with what the client reads; jsdom has no Response. */
const response = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  ({
    ok: status >= 200 && status < 300,
    status,
    headers: { get: (name: string) => headers[name] ?? null },
    text: () => (body instanceof Promise ? body : Promise.resolve(toText(body))),
  }) as unknown as Response
const toText = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body))

type Handler = (call: Call) => Response | Promise<Response>

const calls: Call[] = []
const onSessionEnded = jest.fn()
const client = createApiClient({ baseUrl: 'https://api.example.test', onSessionEnded })

/** Replaces `fetch`, so that `handler` responds to each call. */
const mockFetch = (handler: Handler): void => {
  globalThis.fetch = async (input, { method = 'GET', headers, body, signal } = {}) => {
    signal?.throwIfAborted()
    const call = {
      url: new URL(input as string),
      method,
      headers: headers as Record<string, string>,
      body: typeof body === 'string' ? (JSON.parse(body) as unknown) : body,
    }
    calls.push(call)
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error))
    })
    return Promise.race([aborted, (async () => handler(call))()])
  }
}

const firstCall = (): Call => {
  const [first] = calls
  if (!first) throw new Error('No call was made.')
  return first
}
const calledPaths = (): string[] => calls.map(({ url }) => url.pathname)
const refreshCalls = (): Call[] => calls.filter(({ url }) => url.pathname === '/api/auth/refresh')
const getBearer = ({ headers }: Call): string | undefined => headers.Authorization

const newTokens = { accessToken: 'access-2', refreshToken: 'refresh-2' }
const rejectToken = (status = 401): Response =>
  response(status, { message: 'The token is not valid.', code: 'denied' })
/** Rejects the old access token with `status`, and leaves the refresh to `refresh`. */
const withExpiredToken =
  (refresh: Handler, status = 401): Handler =>
  (call) => {
    if (call.url.pathname === '/api/auth/refresh') return refresh(call)
    return getBearer(call) === 'Bearer access-2' ? response(200, { events: [] }) : rejectToken(status)
  }
const loseConnection = (): never => {
  throw new TypeError('Failed to fetch')
}

beforeEach(() => {
  calls.length = 0
  onSessionEnded.mockClear()
  localStorage.clear()
})

describe('Request headers and URL', () => {
  test('When a member makes a call, then it has the bearer token, a timestamp, the language of the page, and no-cache headers', async () => {
    document.documentElement.lang = 'pt-BR'
    saveTokens({ accessToken: 'access-1', refreshToken: 'refresh-1' })
    mockFetch(() => response(200, { message: 'Sent' }))
    const before = Date.now()
    await client.post('/api/contact-admin', { body: { subject: 'Stalls', message: 'One more day' } })

    const { url, method, headers, body } = firstCall()
    expect(method).toBe('POST')
    expect(url.origin + url.pathname).toBe('https://api.example.test/api/contact-admin')
    expect(Number(url.searchParams.get('_ts'))).toBeGreaterThanOrEqual(before)
    expect(headers).toMatchObject({
      Authorization: 'Bearer access-1',
      'Content-Type': 'application/json',
      'Accept-Language': 'pt-BR',
      'Cache-Control': 'no-cache',
      Pragma: 'no-cache',
    })
    expect(body).toEqual({ subject: 'Stalls', message: 'One more day' })
  })

  test('When no user is signed in, then the call has no bearer token', async () => {
    mockFetch(() => response(200, { events: [] }))
    await client.get('/api/events/active')
    expect(getBearer(firstCall())).toBeUndefined()
  })

  test('When a call has path and query parameters, then they are URL-encoded', async () => {
    mockFetch(() => response(200, { uploads: [] }))
    const query = { limit: 10, after: undefined }
    await client.get('/api/myevents/uploads/{eventId}', { params: { eventId: 'a/b?c' }, query })
    const { url } = firstCall()
    expect(url.pathname).toBe('/api/myevents/uploads/a%2Fb%3Fc')
    expect(url.searchParams.get('limit')).toBe('10')
    expect(url.searchParams.has('after')).toBe(false)
  })

  test('When a call is made as a guest in the browser of a member, then it has only the guest token', async () => {
    saveTokens({ accessToken: 'access-1', refreshToken: 'refresh-1' })
    mockFetch(() => response(200, { name: 'Harbour summer fair' }, { 'X-Guest-Token': 'guest-1' }))
    const call = () => client.get('/api/events/{eventId}', { params: { eventId: '1' }, asGuest: true })
    await call()
    await call()

    expect(calls.map(getBearer)).toEqual([undefined, undefined])
    expect(calls.map(({ headers }) => headers['X-Guest-Token'])).toEqual([undefined, 'guest-1'])
  })

  describe("When the page's inline script has requested an event,", () => {
    const path = '/api/events/{eventId}'
    const input = { params: { eventId: 'a b' }, asGuest: true } as const
    const prefetch = (pending: Promise<Response>): AbortController => {
      const controller = new AbortController()
      window.prefetched = { 'https://api.example.test/api/events/a%20b': { response: pending, controller } }
      return controller
    }
    const fromPage = () =>
      Promise.resolve(response(200, { name: 'of the page' }, { 'X-Guest-Token': 'guest-1' }))
    beforeEach(() => mockFetch(() => response(200, { name: 'of the call' })))
    afterEach(() => {
      delete window.prefetched
    })

    test('then a guest uses the response once, with its guest token', async () => {
      prefetch(fromPage())
      expect(await client.get(path, input)).toEqual({ name: 'of the page' })
      expect(calls).toEqual([])
      expect(await client.get(path, input)).toEqual({ name: 'of the call' })
      expect(firstCall().headers['X-Guest-Token']).toBe('guest-1')
    })

    test('then a member does not use it', async () => {
      prefetch(fromPage())
      expect(await client.get(path, { ...input, asGuest: false })).toEqual({ name: 'of the call' })
    })

    test('but without a response, then it is requested again', async () => {
      prefetch(Promise.reject(new TypeError('Failed to fetch')))
      expect(await client.get(path, input)).toEqual({ name: 'of the call' })
    })

    test('and the call is aborted, then it ends, and so does the request', async () => {
      const unanswered = Promise.withResolvers<Response>()
      const { signal } = prefetch(unanswered.promise)
      signal.addEventListener('abort', () => unanswered.reject(signal.reason as Error))
      const ending = new AbortController()
      const call = client.get(path, { ...input, signal: ending.signal })
      ending.abort(new Error('The page was left.'))
      await expect(call).rejects.toThrow('The page was left.')
      expect(signal.aborted).toBe(true)
      expect(calls).toEqual([])
    })
  })

  test('When a call has headers of its own, then they are sent with those of every call', async () => {
    mockFetch(() => response(200, { uploads: [] }))
    await client.get('/api/wall/{eventId}', {
      params: { eventId: '1' },
      headers: { 'X-Wall-Key': 'key-1' },
      asGuest: true,
    })
    expect(calls[0]?.headers).toMatchObject({ 'X-Wall-Key': 'key-1', Pragma: 'no-cache' })
  })

  test('When a call as a guest is rejected, then the session of the member does not change', async () => {
    saveTokens({ accessToken: 'access-1', refreshToken: 'refresh-1' })
    mockFetch(() => rejectToken())
    const call = client.get('/api/events/{eventId}', { params: { eventId: '1' }, asGuest: true })
    await expect(call).rejects.toMatchObject({ status: 401 })
    expect(refreshCalls()).toEqual([])
    expect(getAccessToken()).toBe('access-1')
  })
})

describe('When the access token has expired', () => {
  beforeEach(() => saveTokens({ accessToken: 'access-1', refreshToken: 'refresh-1' }))

  test.each([401, 403])(
    'and the status is %i, then the tokens are refreshed and the call is sent again',
    async (status) => {
      mockFetch(withExpiredToken(() => response(200, newTokens), status))
      await expect(client.get('/api/myevents')).resolves.toEqual({ events: [] })

      expect(calledPaths()).toEqual(['/api/myevents', '/api/auth/refresh', '/api/myevents'])
      expect(refreshCalls()[0]?.body).toEqual({ refreshToken: 'refresh-1' })
      expect(refreshCalls().map(getBearer)).toEqual([undefined])
      expect([getAccessToken(), getRefreshToken()]).toEqual(['access-2', 'refresh-2'])
      expect(onSessionEnded).not.toHaveBeenCalled()
    },
  )

  test('and the new token is rejected as well, then the call fails and is not sent a third time', async () => {
    mockFetch(({ url }) =>
      url.pathname === '/api/auth/refresh' ? response(200, newTokens) : rejectToken(403),
    )
    await expect(client.get('/api/myevents')).rejects.toMatchObject({
      status: 403,
      message: 'The token is not valid.',
    })
    expect(calledPaths()).toEqual(['/api/myevents', '/api/auth/refresh', '/api/myevents'])
    expect(onSessionEnded).not.toHaveBeenCalled()
  })

  test('for several calls at the same time, then they share one refresh', async () => {
    mockFetch(withExpiredToken(() => response(200, newTokens)))
    await Promise.all([
      client.get('/api/myevents'),
      client.get('/api/events/active'),
      client.get('/api/users'),
    ])
    expect(refreshCalls()).toHaveLength(1)
    expect(calls).toHaveLength(7)
  })

  test('and expires again later, then it is refreshed again', async () => {
    mockFetch(withExpiredToken(() => response(200, newTokens)))
    await client.get('/api/myevents')
    saveTokens({ accessToken: 'access-3', refreshToken: 'refresh-3' })
    await client.get('/api/myevents')
    expect(refreshCalls().map(({ body }) => body)).toEqual([
      { refreshToken: 'refresh-1' },
      { refreshToken: 'refresh-3' },
    ])
  })

  test.each([400, 401, 403])('and the refresh is rejected with %i, then the session ends', async (status) => {
    mockFetch(withExpiredToken(() => response(status, { message: 'Your session has expired.', code: 'x' })))
    await expect(client.get('/api/myevents')).rejects.toMatchObject({ status: 401 })
    expect([getAccessToken(), getRefreshToken()]).toEqual([undefined, undefined])
    expect(onSessionEnded).toHaveBeenCalledTimes(1)
    expect(calledPaths()).toEqual(['/api/myevents', '/api/auth/refresh'])
  })

  test('and there is no refresh token, then the session ends without a refresh call', async () => {
    localStorage.removeItem('refreshToken')
    mockFetch(withExpiredToken(() => response(200, newTokens)))
    await expect(client.get('/api/myevents')).rejects.toMatchObject({ status: 401 })
    expect(refreshCalls()).toEqual([])
    expect(onSessionEnded).toHaveBeenCalledTimes(1)
  })

  test.each<[string, Handler]>([
    ['the connection is lost', loseConnection],
    ['the server is busy', () => response(503, { message: 'Please try again.', code: 'busy' })],
    ['a captive portal responds', () => response(200, '<html>Accept our terms</html>')],
    ['the response has no tokens', () => response(200, {})],
  ])('and %s during the refresh, then the session is kept', async (_, refresh) => {
    mockFetch(withExpiredToken(refresh))
    await expect(client.get('/api/myevents')).rejects.toMatchObject({ isRetryable: true })
    expect([getAccessToken(), getRefreshToken()]).toEqual(['access-1', 'refresh-1'])
    expect(onSessionEnded).not.toHaveBeenCalled()

    mockFetch(withExpiredToken(() => response(200, newTokens)))
    await expect(client.get('/api/myevents')).resolves.toEqual({ events: [] })
  })

  test('and the member signs out during the refresh, then the new tokens are discarded', async () => {
    mockFetch(
      withExpiredToken(() => {
        localStorage.clear()
        return response(200, newTokens)
      }),
    )
    await expect(client.get('/api/myevents')).rejects.toMatchObject({ status: 401 })
    expect([getAccessToken(), getRefreshToken()]).toEqual([undefined, undefined])
  })

  test('and the refresh times out, then the call fails and the session is kept', async () => {
    jest.useFakeTimers()
    try {
      mockFetch(withExpiredToken(() => new Promise(() => undefined)))
      const failing = expect(client.get('/api/myevents')).rejects.toMatchObject({ isRetryable: true })
      await jest.runAllTimersAsync()
      await failing
      expect([getAccessToken(), getRefreshToken()]).toEqual(['access-1', 'refresh-1'])
      expect(onSessionEnded).not.toHaveBeenCalled()
    } finally {
      jest.useRealTimers()
    }
  })

  test('and a call is aborted during the refresh, then it rejects at once', async () => {
    const refresh = Promise.withResolvers<Response>()
    mockFetch(withExpiredToken(() => refresh.promise))
    const controller = new AbortController()
    const failing = expect(client.get('/api/myevents', { signal: controller.signal })).rejects.toThrow(
      'aborted',
    )
    while (refreshCalls().length === 0) await Promise.resolve()
    controller.abort(new Error('aborted'))
    await failing
    refresh.resolve(response(200, newTokens))
  })

  test('and another tab has already refreshed it, then the new tokens are used', async () => {
    const locks = {
      request: (_: string, work: () => Promise<unknown>) => {
        saveTokens(newTokens)
        return work()
      },
    }
    Object.defineProperty(navigator, 'locks', { configurable: true, value: locks })
    try {
      mockFetch(withExpiredToken(() => response(200, { accessToken: 'access-9', refreshToken: 'refresh-9' })))
      await expect(client.get('/api/myevents')).resolves.toEqual({ events: [] })
      expect(refreshCalls()).toEqual([])
    } finally {
      Reflect.deleteProperty(navigator, 'locks')
    }
  })

  test('and the call is to /api/auth, then it has no token and nothing is refreshed', async () => {
    mockFetch(() => response(401, { message: 'Invalid email or password', code: 'unauthorized' }))
    const signIn = client.post('/api/auth/login', { body: { email: 'a@example.test', password: 'wrong' } })
    await expect(signIn).rejects.toThrow('Invalid email or password')
    expect(calledPaths()).toEqual(['/api/auth/login'])
    expect(getBearer(firstCall())).toBeUndefined()
    expect(getAccessToken()).toBe('access-1')
  })
})

describe('When a call fails', () => {
  test('because the connection is lost, then the error has a message and is retryable', async () => {
    mockFetch(loseConnection)
    const error = await client.get('/api/myevents').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      status: 0,
      isRetryable: true,
      message: 'The connection was lost. Please try again.',
    })
  })

  test('because the response ends early, then it counts as a lost connection', async () => {
    mockFetch(() => response(200, Promise.reject(new TypeError('network error'))))
    await expect(client.get('/api/myevents')).rejects.toMatchObject({ status: 0 })
  })

  test('because a captive portal responds, then it counts as a lost connection', async () => {
    mockFetch(() => response(200, '<html>Accept our terms</html>'))
    await expect(client.get('/api/myevents')).rejects.toMatchObject({ status: 0, isRetryable: true })
  })

  test('because a proxy responds with an HTML page, then the message is a generic one', async () => {
    mockFetch(() => response(502, '<html><h1>502 Bad Gateway</h1></html>'))
    await expect(client.get('/api/myevents')).rejects.toMatchObject({
      status: 502,
      isRetryable: true,
      message: 'Something went wrong.',
    })
  })

  test('because its signal is aborted, then it rejects with the reason of the signal', async () => {
    const controller = new AbortController()
    mockFetch(() => {
      controller.abort()
      throw new DOMException('The user aborted a request.', 'AbortError')
    })
    const error = await client
      .get('/api/myevents', { signal: controller.signal })
      .catch((thrown: unknown) => thrown)
    expect(error).toBe(controller.signal.reason)
  })
})

describe('Loading state', () => {
  const recordLoading = async (work: () => Promise<unknown>): Promise<number[]> => {
    const counts: number[] = []
    const stop = onLoading((inFlight) => counts.push(inFlight))
    await work().catch(() => undefined)
    stop()
    return counts
  }

  test('When a call succeeds or fails, then its start and end are emitted', async () => {
    mockFetch(() => response(200, { events: [] }))
    expect(await recordLoading(() => client.get('/api/myevents'))).toEqual([1, 0])
    mockFetch(loseConnection)
    expect(await recordLoading(() => client.get('/api/myevents'))).toEqual([1, 0])
    mockFetch(() => rejectToken(500))
    expect(await recordLoading(() => client.get('/api/myevents'))).toEqual([1, 0])
  })

  test('When two calls overlap, then both are counted', async () => {
    mockFetch(() => response(200, { events: [] }))
    const both = () => Promise.all([client.get('/api/myevents'), client.get('/api/events/active')])
    expect(await recordLoading(both)).toEqual([1, 2, 1, 0])
  })

  test('When a call is quiet, then nothing is emitted', async () => {
    mockFetch(() => response(200, { events: [] }))
    expect(await recordLoading(() => client.get('/api/myevents', { quiet: true }))).toEqual([])
  })
})
