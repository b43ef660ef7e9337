import { pathOf, type RouteContract } from '@confetti/contracts'
import type { z } from 'zod'
import { unavailable } from './errors.ts'
import { currentContext } from './request-context.ts'
import { clientCall } from './tracing/client-call.ts'
import { inSpan } from './tracing/spans.ts'
import { traceContext } from './tracing/trace-context.ts'

/**
 * Asks another service by one of its internal routes. Undefined when it answers 404; throws `unavailable` when
 * it is away, slow (3 s), or answers something that the contract does not know.
 */
export const askService = <C extends RouteContract & { responses: { 200: z.ZodType } }>(
  baseUrl: string,
  contract: C,
  params: Readonly<Record<string, string>>,
): Promise<z.output<C['responses'][200]> | undefined> => {
  const { requestId } = currentContext()
  const url = new URL(pathOf(contract, params), baseUrl)
  const method = contract.method.toUpperCase()
  const attributes = clientCall(method, url, contract.path)
  return inSpan(`${method} ${contract.path}`, { kind: 'client', attributes }, async (span) => {
    try {
      const response = await fetch(url, {
        method,
        headers: { ...(requestId && { 'X-Request-Id': requestId }), ...traceContext() },
        signal: AbortSignal.timeout(3_000),
      })
      span.setAttribute('http.response.status_code', response.status)
      if (response.status === 404) return undefined
      if (response.status !== 200) throw new Error(`${contract.path} answered ${response.status}`)
      return contract.responses[200].parse(await response.json()) as z.output<C['responses'][200]>
    } catch (error) {
      throw unavailable('The service is busy. Please try again in a moment.', 2, error)
    }
  })
}
