import { errorBody, pathOf, type RouteContract } from '@confetti/contracts'
import { expect } from '@jest/globals'
import { orHang } from './hang.ts'

interface Input {
  token?: string | undefined
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  headers?: Record<string, string>
}

export interface Reply {
  status: number
  headers: Headers
  // The tests say what they expect in it.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any
}

/** Reads an answer and proves that it is one the contract knows: no other status, no field more or less. */
export const readReply = async (contract: RouteContract, response: Response): Promise<Reply> => {
  const body: unknown = await response.json()
  const schema = contract.responses[response.status] ?? errorBody
  // Parsing drops what the contract does not name, so a difference is a leak.
  expect(body).toEqual(schema.parse(body))
  if (schema === errorBody) expect(response.status).toBeGreaterThanOrEqual(400)
  return { status: response.status, headers: response.headers, body }
}

/**
 * Makes a call as its contract says, and proves that the answer satisfies it. `body` may be a FormData. Throws `Hang`
 * if the call hangs.
 */
export const call = async (
  baseUrl: string,
  contract: RouteContract,
  { token, params = {}, query = {}, body, headers = {} }: Input = {},
): Promise<Reply> => {
  const url = new URL(pathOf(contract, params), baseUrl)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  const isForm = body instanceof FormData
  const method = contract.method.toUpperCase()
  return orHang(`${method} ${url.pathname}`, async (signal) => {
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
    return readReply(contract, response)
  })
}
