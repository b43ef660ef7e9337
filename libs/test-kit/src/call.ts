import { errorBody, buildPath, type RouteContract } from '@confetti/contracts'
import { expect } from 'expect'
import { eventually } from './eventually.ts'
import { withHangTimeout } from './hang.ts'

interface Input {
  token?: string | undefined
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  headers?: Record<string, string>
}

export interface ApiResponse {
  status: number
  headers: Headers
  // Each test checks the fields that it expects.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any
}

/**
 * Reads a response and asserts that it matches the contract: a known status or an error, and exactly the
 * known fields.
 */
export const readResponse = async (contract: RouteContract, response: Response): Promise<ApiResponse> => {
  const body: unknown = await response.json()
  const schema = contract.responses[response.status] ?? errorBody
  // Parsing removes fields that the contract does not define, so a difference is a leak.
  expect(body).toEqual(schema.parse(body))
  if (schema === errorBody) {
    expect(response.status).toBeGreaterThanOrEqual(400)
    // Pages translate what is wrong with a field by its code.
    const { details } = errorBody.parse(body)
    for (const detail of Array.isArray(details) ? details : [])
      expect(detail).toMatchObject({ code: expect.stringMatching(/^[a-z_]+$/) })
  }
  return { status: response.status, headers: response.headers, body }
}

/**
 * Makes a request according to its contract and asserts that the response matches it. `body` may be a
 * FormData. Throws a `HangError` if the call has not ended after 60 s.
 */
export const call = async (
  baseUrl: string,
  contract: RouteContract,
  { token, params = {}, query = {}, body, headers = {} }: Input = {},
): Promise<ApiResponse> => {
  const url = new URL(buildPath(contract, params), baseUrl)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  const isForm = body instanceof FormData
  const method = contract.method.toUpperCase()
  return withHangTimeout(`${method} ${url.pathname}`, async (signal) => {
    const response = await fetch(url, {
      method,
      headers: {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && !isForm && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      signal,
    })
    return readResponse(contract, response)
  })
}

/**
 * Makes a request, again while the response is 503 or 504: on a busy machine a service may wait for its database. For what
 * a test prepares or reads; what it is about is asserted with `call`.
 */
export const callUntilAvailable = (
  baseUrl: string,
  contract: RouteContract,
  input: Input = {},
): Promise<ApiResponse> =>
  eventually(async () => {
    const response = await call(baseUrl, contract, input)
    return ![503, 504].includes(response.status) && response
  }, `${contract.method.toUpperCase()} ${contract.path} to be available`)
