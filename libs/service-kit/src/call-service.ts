import { buildPath, errorBody, type RouteContract } from '@confetti/contracts'
import type { z } from 'zod'
import { unavailable } from './errors.ts'
import { currentContext } from './request-context.ts'
import { injectTraceContext, inSpan } from './tracing/spans.ts'

/** The span attributes of an HTTP call to another service, as OpenTelemetry's semantic conventions name them. */
export const httpClientAttributes = (method: string, url: URL, template: string) => ({
  'http.request.method': method,
  'url.full': url.href,
  'url.template': template,
  'server.address': url.hostname,
  'server.port': Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
})

const TIMEOUT_MS = 3_000

const isNotFound = async (response: Response, code: string | undefined): Promise<boolean> =>
  response.status === 404 && errorBody.parse(await response.json()).code === code

/**
 * Calls a route of another service, and returns what `read` makes of its answer. Throws `unavailable` if the service cannot
 * be reached, takes longer than 3 s, or `read` rejects.
 */
export const requestService = <T>(
  baseUrl: string,
  contract: RouteContract,
  params: Readonly<Record<string, string>>,
  read: (response: Response) => Promise<T>,
  query: Readonly<Record<string, string>> = {},
): Promise<T> => {
  const { requestId } = currentContext()
  const url = new URL(buildPath(contract, params), baseUrl)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  const method = contract.method.toUpperCase()
  const attributes = httpClientAttributes(method, url, contract.path)
  return inSpan(`${method} ${contract.path}`, { kind: 'client', attributes }, async (span) => {
    try {
      const response = await fetch(url, {
        method,
        headers: { ...(requestId && { 'X-Request-Id': requestId }), ...injectTraceContext() },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      span.setAttribute('http.response.status_code', response.status)
      return await read(response)
    } catch (error) {
      throw unavailable('The service is busy. Please try again in a moment.', 2, error)
    }
  })
}

/**
 * Calls an internal route of another service. Returns undefined if the record does not exist, which only the contract's
 * `notFoundCode` says: a proxy without a backend and an older service answer 404 as well. Throws `unavailable` as
 * `requestService` does, and if the service answers anything else.
 */
export const callService = <C extends RouteContract & { responses: { 200: z.ZodType } }>(
  baseUrl: string,
  contract: C,
  params: Readonly<Record<string, string>>,
  query?: Readonly<Record<string, string>>,
): Promise<z.output<C['responses'][200]> | undefined> => {
  const read = async (response: Response) => {
    if (await isNotFound(response, contract.notFoundCode)) return undefined
    if (response.status !== 200) throw new Error(`${contract.path} answered ${response.status}`)
    return contract.responses[200].parse(await response.json()) as z.output<C['responses'][200]>
  }
  return requestService(baseUrl, contract, params, read, query)
}
