import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { AppError } from '@confetti/service-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { readMultipart } from './read-multipart.ts'

const LIMITS = {
  checkLength: () => undefined,
  onField: () => undefined,
  maxFileBytes: 10,
  maxFiles: 3,
  minRateWindowMs: 60_000,
  maxDurationMs: 60_000,
}

/** Answers with the parts of the form, or with the code of the error. */
const server = createServer((request, response) => {
  const readAll = async () => {
    const parts: unknown[] = []
    for await (const part of readMultipart(request, LIMITS))
      parts.push(
        part.kind === 'file' ? [part.sentName, String(await buffer(part.bytes))] : [part.name, part.value],
      )
    return parts
  }
  void readAll()
    .catch((error: unknown) => (error instanceof AppError ? error.code : String(error)))
    .then((result) => response.end(JSON.stringify(result)))
})

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
})

/** Sends a form of these parts, each a header, a blank line and a body. */
const send = async (...parts: string[]): Promise<unknown> => {
  const { port } = server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}`, {
    method: 'POST',
    headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
    body: [...parts.map((part) => `--x\r\n${part}\r\n`), '--x--\r\n'].join(''),
  })
  return response.json()
}

const EVENT_ID = 'Content-Disposition: form-data; name="eventId"'
const FILE = 'Content-Disposition: form-data; name="media"; filename="a.gif"'

test('When a form is complete, then its fields and files are read in order', async () => {
  const parts = await send(`${FILE}\r\n\r\none`, `${EVENT_ID}\r\n\r\n1`, `${FILE}\r\n\r\ntwo`)
  expect(parts).toEqual([
    ['a.gif', 'one'],
    ['eventId', '1'],
    ['a.gif', 'two'],
  ])
})

test('When a file is larger than the limit, then one byte beyond the limit is read', async () => {
  expect(await send(`${FILE}\r\n\r\n123456789012`)).toEqual([['a.gif', '12345678901']])
})

test('When the charset of a field is unknown, then its value is empty', async () => {
  const parts = await send(`${EVENT_ID}\r\nContent-Type: text/plain; charset=none\r\n\r\n1`)
  expect(parts).toEqual([['eventId', '']])
})

test('When a file starts before the previous one has ended, then the form is malformed', async () => {
  // The first part is cut off in its header. busboy takes the next part's header for the rest of it.
  const parts = ['X-Header: value', `${FILE}\r\n\r\n\r\n${FILE}\r\n\r\nbytes`]
  expect(await send(...parts)).toBe('malformed_form')
})

/** Reads a form whose file arrives in 200 chunks of `bytes`, one every second. */
const readSlowly = async (bytes: number, maxDurationMs: number): Promise<unknown> => {
  let now = 0
  const chunks = async function* () {
    yield Buffer.from(`--x\r\n${FILE}\r\n\r\n`)
    for (let second = 0; second < 200; second += 1) {
      now += 1_000
      yield await Promise.resolve(Buffer.alloc(bytes))
    }
    yield Buffer.from('\r\n--x--\r\n')
  }
  const request = {
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    complete: true,
    iterator: chunks,
    resume: () => undefined,
  }
  const limits = { ...LIMITS, maxFileBytes: 1_000_000, maxDurationMs, now: () => now }
  try {
    for await (const part of readMultipart(request as unknown as IncomingMessage, limits))
      if (part.kind === 'file') return (await buffer(part.bytes)).length
    return undefined
  } catch (error) {
    return error instanceof AppError ? [error.status, error.code] : error
  }
}

test.each([
  ['averages less than a kilobyte a second', 990, Infinity, [408, 'too_slow']],
  ['takes longer than it may at a sufficient rate', 1_010, 190_000, [408, 'too_slow']],
  ['takes several windows at a sufficient rate', 1_010, Infinity, 202_000],
])('When a form %s, then the result is as it should be', async (_, bytes, maxDurationMs, result) => {
  expect(await readSlowly(bytes, maxDurationMs)).toEqual(result)
})
