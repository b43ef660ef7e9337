import { errorFrom, noAnswer } from './errors.ts'
import { keepGuestToken, guestHeaders } from './guest-token.ts'
import { startLoading } from './loading.ts'
import { makeRefresh } from './refresh.ts'
import type { Answer, Input, Method, Path } from './routes.ts'
import { accessToken, type Tokens } from './stored-tokens.ts'

export interface CallOptions {
  /** Sends no bearer token, but the guest's own; never refreshes. */
  asGuest?: boolean
  /** Work in the background, for which the loading overlay stays away. */
  quiet?: boolean
  signal?: AbortSignal
}

type Args<M, P> =
  Input<M, P> extends { body?: undefined; params?: undefined }
    ? [input?: Input<M, P> & CallOptions]
    : [input: Input<M, P> & CallOptions]

/** Every call of the API, typed by its contract. Each rejects with an `ApiError`, or as aborted by its signal. */
export interface ApiClient {
  get: <P extends Path<'get'>>(path: P, ...args: Args<'get', P>) => Promise<Answer<'get', P>>
  post: <P extends Path<'post'>>(path: P, ...args: Args<'post', P>) => Promise<Answer<'post', P>>
  delete: <P extends Path<'delete'>>(path: P, ...args: Args<'delete', P>) => Promise<Answer<'delete', P>>
}

interface AnyInput extends CallOptions {
  params?: Readonly<Record<string, string>> | undefined
  query?: Readonly<Record<string, string | number | undefined>> | undefined
  body?: unknown
}

/** The address of a call: parameters filled in, and the moment as `_ts`, so that no cache answers. */
export const addressOf = (
  baseUrl: string,
  path: string,
  {
    params = {},
    query = {},
    stamp = Date.now(),
  }: Pick<AnyInput, 'params' | 'query'> & { stamp?: number | undefined } = {},
): string => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const url = new URL(filled, baseUrl)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, String(value))
  url.searchParams.set('_ts', String(stamp))
  return url.href
}

export const uncached = { 'Cache-Control': 'no-cache', Pragma: 'no-cache', Expires: '0' }

const REFRESH_LIMIT_MS = 20_000

/** What others wait for as well goes on; this one caller stops waiting when its signal says so. */
const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
  signal
    ? Promise.race([
        work,
        new Promise<never>((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error))
        }),
      ])
    : work

/**
 * The client for the API at `baseUrl`. A 401 or 403 refreshes the tokens and sends the call once more; `sessionEnded`
 * is told when the server refuses the refresh.
 */
export const createApiClient = ({
  baseUrl,
  sessionEnded,
}: {
  baseUrl: string
  sessionEnded: () => void
}): ApiClient => {
  const send = async (
    method: Method,
    path: string,
    input: AnyInput,
    token: string | undefined,
  ): Promise<Response> => {
    const response = await fetch(addressOf(baseUrl, path, input), {
      method: method.toUpperCase(),
      headers: {
        ...uncached,
        'Content-Type': 'application/json',
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(input.asGuest && guestHeaders()),
      },
      ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
      ...(input.signal && { signal: input.signal }),
    }).catch((error: unknown) => {
      input.signal?.throwIfAborted()
      throw error instanceof TypeError ? noAnswer() : error
    })
    if (input.asGuest) keepGuestToken((name) => response.headers.get(name))
    return response
  }

  const read = async (response: Response, signal: AbortSignal | undefined): Promise<unknown> => {
    const text = await response.text().catch(() => {
      signal?.throwIfAborted()
      throw noAnswer()
    })
    if (!response.ok) throw errorFrom(response.status, text, response.headers.get('Retry-After'))
    try {
      return text === '' ? undefined : (JSON.parse(text) as unknown)
    } catch {
      // A captive portal answers 200 with a page of its own.
      throw noAnswer()
    }
  }

  const refresh = makeRefresh(async (refreshToken) => {
    // All calls and tabs wait for this one: it must not wait for ever.
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(noAnswer()), REFRESH_LIMIT_MS)
    try {
      const input = { body: { refreshToken }, signal: limit.signal }
      const response = await send('post', '/api/auth/refresh', input, undefined)
      return (await read(response, limit.signal)) as Partial<Tokens> | undefined
    } finally {
      clearTimeout(timer)
    }
  }, sessionEnded)

  const call = async (method: Method, path: string, input: AnyInput = {}): Promise<unknown> => {
    const done = startLoading(input.quiet)
    try {
      const token = input.asGuest || path.startsWith('/api/auth/') ? undefined : accessToken()
      const response = await send(method, path, input, token)
      const mayRefresh = token !== undefined && (response.status === 401 || response.status === 403)
      if (mayRefresh && (await unlessAborted(refresh(token), input.signal)))
        return await read(await send(method, path, input, accessToken()), input.signal)
      return await read(response, input.signal)
    } finally {
      done()
    }
  }

  const calling =
    (method: Method) =>
    (path: string, input?: AnyInput): Promise<never> =>
      call(method, path, input) as Promise<never>
  return { get: calling('get'), post: calling('post'), delete: calling('delete') } as ApiClient
}
