import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { createUploads, errorBody, login, MB, publicRoutes, type RouteContract } from '@confetti/contracts'
import { call, uniquePhoto } from '@confetti/test-kit'
import { formAround } from '@confetti/test-kit/upload-form'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { listUploads, startStand, type Stand } from '../stand.ts'
import { tokenFor } from './api-call.ts'
import { watchMemory } from './memory.ts'
import { troublesIn } from './running.ts'

let stand: Stand
beforeAll(async () => {
  const many = '1000000'
  stand = await startStand({
    services: ['auth', 'events', 'uploads', 'contact', 'gateway'],
    environment: { gateway: { ADDRESS_REQUESTS_PER_MINUTE: many, ADDRESS_CEILING_PER_MINUTE: many } },
  })
}, 120_000)
afterAll(() => stand.system.stop())

const form = () => formAround({ eventId: stand.event._id, credit: 'Table 4', name: 'a.jpg' })

const send = (contract: RouteContract, encoding: string, body: Buffer): Promise<Response> =>
  fetch(`${stand.api}${contract.path}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${tokenFor(contract, stand)}`,
      'Content-Type': contract.multipart ? form().contentType : 'application/json',
      'Content-Encoding': encoding,
    },
    body: new Uint8Array(body),
    signal: AbortSignal.timeout(20_000),
  })

const expectRefused = async (response: Response): Promise<void> => {
  const { code } = errorBody.parse(await response.json())
  expect([response.status, code]).toEqual([415, 'encoded_content'])
}

const encodings: [string, (body: Buffer) => Buffer][] = [
  ['gzip', (body) => gzipSync(body)],
  ['GZip', (body) => gzipSync(body)],
  ['x-gzip', (body) => gzipSync(body)],
  // Not made smaller, so that a reader who does not decode it finds most of the form in it.
  ['gzip', (body) => gzipSync(body, { level: 0 })],
  ['gzip', (body) => body],
  ['deflate', (body) => deflateSync(body)],
  ['deflate', (body) => deflateRawSync(body)],
  ['br', (body) => brotliCompressSync(body)],
  ['zstd', (body) => zstdCompressSync(body)],
  ['gzip, gzip', (body) => gzipSync(gzipSync(body))],
  ['identity, gzip', (body) => gzipSync(body)],
  ['aes128gcm', (body) => body],
  ['no-such', (body) => body],
]

const takingBodies = Object.entries<RouteContract>(publicRoutes).filter(([, { body }]) => body)

test.each(takingBodies)(
  'When %s gets a body in any encoding, then it is refused unread',
  async (_, contract) => {
    const { email } = stand.organiser.user
    const json = Buffer.from(JSON.stringify({ email, password: stand.organiser.password }))
    const upload = Buffer.concat([Buffer.from('\r\n'), form().head, await uniquePhoto(), form().end])
    for (const [encoding, encode] of encodings)
      await expectRefused(await send(contract, encoding, encode(contract.multipart ? upload : json)))
    expect(await listUploads(stand)).toEqual([])
  },
)

const LARGE = Buffer.alloc(300 * MB, 'a')
const bombs: [string, Buffer][] = [
  ['gzip', gzipSync(LARGE.subarray(0, 90 * MB))],
  ['deflate', deflateSync(LARGE.subarray(0, 90 * MB))],
  // The widest window of all: a reader takes 16 MB for it.
  [
    'br',
    brotliCompressSync(LARGE, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 24 },
    }),
  ],
  ['zstd', zstdCompressSync(LARGE)],
]

test.each([
  ['auth', login],
  ['uploads', createUploads],
] as const)(
  'When %s gets bombs in many encodings at once, then its memory stays',
  async (service, contract) => {
    const pid = stand.system.replicas(service)[0]?.pid() ?? 0
    const before = await watchMemory(pid)()
    const most = watchMemory(pid)
    const answers = await Promise.all(
      bombs.flatMap(([encoding, bomb]) => Array.from({ length: 50 }, () => send(contract, encoding, bomb))),
    )
    for (const answer of answers) await expectRefused(answer)
    const grown = (await most()) - before
    console.info(`${service}: ${answers.length} bombs made it grow by ${grown} MB`)
    // Garbage of so many requests. Four that are decoded from Brotli would take as much.
    expect(grown).toBeLessThan(60)
    expect(troublesIn(stand.system.log)).toEqual([])
  },
)

test('When a body is said to be in no encoding, then it is read', async () => {
  const { user, password } = stand.organiser
  for (const encoding of ['identity', 'Identity', '']) {
    const { status } = await call(stand.api, login, {
      body: { email: user.email, password },
      headers: { 'Content-Encoding': encoding },
    })
    expect([encoding, status]).toEqual([encoding, 200])
  }
})
