import { createNetworkError } from './errors.ts'
import { passHeaders, recordRefusal } from './event-passes.ts'
import { fetchResponse, parseBody, readText } from './fetch-response.ts'
import { getAccessToken, guestTokenHeaders, saveGuestToken, type Tokens } from './token-storage.ts'
import { startLoading } from './loading.ts'
import { takePrefetchedResponse } from './prefetched.ts'
import type { Method, Path, RequestInput, ResponseBody } from './routes.ts'
import { untilAborted, withTimeout } from './time-limit.ts'
import { createTokenRefresh } from './token-refresh.ts'

export interface CallOptions {
  /** Sends the guest token, and the pass for the event, instead of the bearer token, and never refreshes. */
  asGuest?: boolean
  /** The event of a guest's call whose input does not name it. */
  eventId?: string
  /** A background request, which does not show the loading overlay. */
  quiet?: boolean
  /** Sends the request even if the page is closed meanwhile. */
  keepalive?: boolean
  /** Further headers, such as the key of a live wall. */
  headers?: Readonly<Record<string, string>>
  /** Called with the headers of the response. An older copy of the shell does not call it. */
  onHeaders?: (headers: Headers) => void
  signal?: AbortSignal
}

type Args<M, P> =
  RequestInput<M, P> extends { body?: undefined; params?: undefined }
    ? [input?: RequestInput<M, P> & CallOptions]
    : [input: RequestInput<M, P> & CallOptions]

/** The API's calls, typed by their contracts. They reject with an `ApiError`, or with the reason of an aborted signal. */
export interface ApiClient {
  get: <P extends Path<'get'>>(path: P, ...args: Args<'get', P>) => Promise<ResponseBody<'get', P>>
  post: <P extends Path<'post'>>(path: P, ...args: Args<'post', P>) => Promise<ResponseBody<'post', P>>
  patch: <P extends Path<'patch'>>(path: P, ...args: Args<'patch', P>) => Promise<ResponseBody<'patch', P>>
  delete: <P extends Path<'delete'>>(
    path: P,
    ...args: Args<'delete', P>
  ) => Promise<ResponseBody<'delete', P>>
}

interface AnyInput extends CallOptions {
  params?: Readonly<Record<string, string>> | undefined
  query?: Readonly<Record<string, string | number | undefined>> | undefined
  body?: unknown
}

/** Builds the URL of a call. `_ts` is a timestamp that keeps caches from answering, unless it is null. */
export const buildUrl = (
  baseUrl: string,
  path: string,
  {
    params = {},
    query = {},
    timestamp = Date.now(),
  }: Pick<AnyInput, 'params' | 'query'> & { timestamp?: number | null | undefined } = {},
): string => {
  const pathname = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const url = new URL(pathname, baseUrl)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, String(value))
  if (timestamp !== null) url.searchParams.set('_ts', String(timestamp))
  return url.href
}

export const noCacheHeaders = { 'Cache-Control': 'no-cache', Pragma: 'no-cache', Expires: '0' }

// The other routes under /api/auth/ are for people who are not signed in. A list, because the contracts would bring
// their schemas into the browser.
const memberAuthPaths: readonly string[] = [
  '/api/auth/password',
  '/api/auth/logout-all',
] satisfies Path<'post'>[]

const carriesToken = (path: string): boolean =>
  !path.startsWith('/api/auth/') || memberAuthPaths.includes(path)

/** The event that a guest's call is about. */
const findEventId = (input: AnyInput): string | undefined =>
  input.asGuest
    ? ({ ...(input.body as object), ...input.query, ...input.params, ...input } as CallOptions).eventId
    : undefined

const REFRESH_TIMEOUT_MS = 20_000

/**
 * Creates the client for the API at `baseUrl`. On 401 or 403 it refreshes the tokens and sends the call again, once.
 * It calls `onSessionEnded` if the server rejects the refresh.
 */
export const createApiClient = ({
  baseUrl,
  onSessionEnded,
}: {
  baseUrl: string
  onSessionEnded: () => void
}): ApiClient => {
  const request = (
    method: Method,
    path: string,
    input: AnyInput,
    token: string | undefined,
  ): Promise<Response> =>
    fetchResponse(buildUrl(baseUrl, path, input), {
      method: method.toUpperCase(),
      headers: {
        ...noCacheHeaders,
        'Content-Type': 'application/json',
        // The language of the page, which may be another one than the browser's.
        'Accept-Language': document.documentElement.lang,
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(input.asGuest && guestTokenHeaders()),
        ...input.headers,
      },
      ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
      ...(input.keepalive && { keepalive: true }),
      ...(input.signal && { signal: input.signal }),
    })

  const send = async (
    method: Method,
    path: string,
    input: AnyInput,
    token: string | undefined,
  ): Promise<Response> => {
    const prefetched =
      method === 'get' && input.asGuest
        ? await takePrefetchedResponse(buildUrl(baseUrl, path, { ...input, timestamp: null }), input.signal)
        : undefined
    const response = prefetched ?? (await request(method, path, input, token))
    if (input.asGuest) saveGuestToken((name) => response.headers.get(name))
    input.onHeaders?.(response.headers)
    return response
  }

  const readBody = async (response: Response, signal: AbortSignal | undefined): Promise<unknown> => {
    const text = await readText(response, signal)
    const isFile = response.headers.get('Content-Type')?.startsWith('text/csv')
    return text === '' || isFile ? text || undefined : parseBody(text)
  }

  const refreshTokens = createTokenRefresh(
    (refreshToken) =>
      // Other calls and tabs wait for this request, so it has a timeout.
      withTimeout(REFRESH_TIMEOUT_MS, createNetworkError, async (signal) => {
        const response = await send(
          'post',
          '/api/auth/refresh',
          { body: { refreshToken }, signal },
          undefined,
        )
        return (await readBody(response, signal)) as Partial<Tokens> | undefined
      }),
    onSessionEnded,
  )
  const refreshFor = (token: string, signal: AbortSignal | undefined): Promise<boolean> =>
    signal ? untilAborted(refreshTokens(token), signal) : refreshTokens(token)

  const call = async (method: Method, path: string, options: AnyInput = {}): Promise<unknown> => {
    const stopLoading = startLoading(options.quiet)
    const eventId = findEventId(options)
    const pass = passHeaders(eventId)
    const input = { ...options, headers: { ...pass, ...options.headers } }
    try {
      const token = input.asGuest || !carriesToken(path) ? undefined : getAccessToken()
      const response = await send(method, path, input, token)
      const canRefresh = token !== undefined && (response.status === 401 || response.status === 403)
      if (canRefresh && (await refreshFor(token, input.signal)))
        return await readBody(await send(method, path, input, getAccessToken()), input.signal)
      return await readBody(response, input.signal)
    } catch (error) {
      recordRefusal(eventId, error, pass)
      throw error
    } finally {
      stopLoading()
    }
  }

  const createMethod =
    (method: Method) =>
    (path: string, input?: AnyInput): Promise<never> =>
      call(method, path, input) as Promise<never>
  return {
    get: createMethod('get'),
    post: createMethod('post'),
    patch: createMethod('patch'),
    delete: createMethod('delete'),
  } as ApiClient
}
