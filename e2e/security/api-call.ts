import type { RouteContract } from '@confetti/contracts'
import { expect } from '@jest/globals'
import type { Stand } from '../stand.ts'
import { problemsOf, type ApiDocument, type Operation } from './api-document.ts'
import type { Call } from './api-inputs.ts'

const gif = Buffer.from('47494638396101000100800000ffffff0000002c00000000010001000002024401003b', 'hex')

/** The fields of an upload form as the document has them, each second file being none of ours. */
const formOf = ({ media, ...fields }: Record<string, unknown>): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  for (const [n, text] of ((media ?? []) as string[]).entries())
    form.append('media', new Blob(n % 2 ? [text] : [gif, text]), 'a.gif')
  return form
}

/** The token of somebody who may make a call. */
export const tokenFor = ({ access }: RouteContract, { organiser, admin }: Stand): string =>
  (access === 'user' ? organiser : admin).token

/** Makes a call of the API at `api`. */
export const send = async (
  api: string,
  { method, path, bodyType }: Operation,
  input: Call,
  token?: string,
): Promise<Response> => {
  const rest = { ...input.parameters }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name] ?? ''
    Reflect.deleteProperty(rest, name)
    return encodeURIComponent(value.toWellFormed())
  })
  const isForm = bodyType === 'multipart/form-data'
  const query = new URLSearchParams([...Object.entries(rest), ...(input.moreQuery ?? [])])
  return fetch(`${api}${filled}?${query}`, {
    method: method.toUpperCase(),
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(bodyType && !isForm && { 'Content-Type': input.contentType }),
    },
    ...(input.body !== undefined && {
      body: isForm ? formOf(JSON.parse(input.body) as Record<string, unknown>) : input.body,
    }),
    signal: AbortSignal.timeout(20_000),
  })
}

const parsed = (text: string | undefined): unknown => {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

/** Proves that an answer is one that the document has, and that what is not as it says is not taken; returns it. */
export const judge = async (
  document: ApiDocument,
  operation: Operation,
  input: Call,
  response: Response,
): Promise<unknown> => {
  const { status } = response
  const documented = operation.responses[status]?.content['application/json']?.schema
  expect([operation.id, status, documented && 'documented']).toEqual([operation.id, status, 'documented'])
  expect(status).toBeLessThan(500)
  const answer: unknown = await response.json()
  expect(problemsOf(document, documented ?? {}, answer)).toEqual([])
  if (operation.body && response.ok)
    expect(problemsOf(document, operation.body, parsed(input.body))).toEqual([])
  return answer
}
