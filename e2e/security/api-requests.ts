import type { RouteContract } from '@confetti/contracts'
import { HANG_TIMEOUT_MS } from '@confetti/test-kit'
import { expect } from '@jest/globals'
import type { Harness } from '../harness.ts'
import { findSchemaViolations, type OpenApiDocument, type Operation } from './openapi-document.ts'
import type { RequestInput } from './request-generators.ts'

/** The smallest photo. */
export const gif = Buffer.from(
  '47494638396101000100800000ffffff0000002c00000000010001000002024401003b',
  'hex',
)

/** Converts the JSON representation of an upload form into a form. Every second file has an unsupported type. */
const toUploadForm = ({ media, ...fields }: Record<string, unknown>): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  for (const [n, text] of ((media ?? []) as string[]).entries())
    form.append('media', new Blob(n % 2 ? [text] : [gif, text]), 'a.gif')
  return form
}

/** Returns the token of an account that may call a route. */
export const tokenForRoute = ({ access }: RouteContract, { organiser, admin }: Harness): string =>
  (access === 'user' || access === 'organiser' ? organiser : admin).token

/** Calls an operation of the API at `api`. */
export const sendRequest = async (
  api: string,
  { method, path, bodyType }: Operation,
  input: RequestInput,
  token?: string,
): Promise<Response> => {
  const queryParameters = { ...input.parameters }
  const resolvedPath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = queryParameters[name] ?? ''
    Reflect.deleteProperty(queryParameters, name)
    return encodeURIComponent(value.toWellFormed())
  })
  const isForm = bodyType === 'multipart/form-data'
  const query = new URLSearchParams([...Object.entries(queryParameters), ...(input.extraQuery ?? [])])
  return fetch(`${api}${resolvedPath}?${query}`, {
    method: method.toUpperCase(),
    headers: {
      ...input.headers,
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(bodyType && !isForm && { 'Content-Type': input.contentType }),
    },
    ...(input.body !== undefined && {
      body: isForm ? toUploadForm(JSON.parse(input.body) as Record<string, unknown>) : input.body,
    }),
    // A redirect is an answer, too.
    redirect: 'manual',
    signal: AbortSignal.timeout(HANG_TIMEOUT_MS),
  })
}

const tryParseJson = (text: string | undefined): unknown => {
  try {
    // As the services do, ignore a byte order mark.
    return JSON.parse((text ?? '').replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}

/**
 * Expects that the document describes the status and the body of a response, and that a successful request has a valid
 * body. Returns the body of the response.
 */
export const expectDocumentedResponse = async (
  document: OpenApiDocument,
  operation: Operation,
  input: RequestInput,
  response: Response,
): Promise<unknown> => {
  const { status } = response
  const { content = {} } = operation.responses[status] ?? {}
  const contentType = response.headers.get('content-type')?.split(';')[0] ?? ''
  const documented = content[contentType]?.schema
  expect([operation.id, status, documented && 'documented']).toEqual([operation.id, status, 'documented'])
  if (status >= 500) throw new Error(`${operation.id} was answered with ${status}: ${await response.text()}`)
  if (contentType === 'text/event-stream') {
    // It does not end.
    await response.body?.cancel()
    return undefined
  }
  if (contentType !== 'application/json') return response.bytes()
  const body: unknown = await response.json()
  expect(findSchemaViolations(document, documented ?? {}, body)).toEqual([])
  // An absent body counts as an empty object.
  if (operation.body && response.ok)
    expect(
      findSchemaViolations(
        document,
        operation.body,
        tryParseJson((input.body ?? '') === '' ? '{}' : input.body),
      ),
    ).toEqual([])
  return body
}
