import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { createUploads, errorBody, login, MB, publicRoutes, type RouteContract } from '@confetti/contracts'
import { call, HANG_TIMEOUT_MS, uniquePhoto } from '@confetti/test-kit'
import { buildUploadForm } from '@confetti/test-kit/upload-form'
import { beforeAll, expect, test } from '@jest/globals'
import { listUploads, type Harness } from '../harness.ts'
import { joinSystemWithoutMedia } from '../shared-system.ts'
import { tokenForRoute } from './api-requests.ts'
import { findErrors } from './log-lines.ts'
import { trackPeakMemory } from './process-memory.ts'

let harness: Harness
beforeAll(async () => {
  harness = await joinSystemWithoutMedia()
})

const createForm = () => buildUploadForm({ eventId: harness.event._id, credit: 'Table 4', name: 'a.jpg' })

const send = (contract: RouteContract, encoding: string, body: Buffer): Promise<Response> =>
  fetch(`${harness.api}${contract.path}`, {
    method: contract.method.toUpperCase(),
    headers: {
      Authorization: `Bearer ${tokenForRoute(contract, harness)}`,
      'Content-Type': contract.multipart ? createForm().contentType : 'application/json',
      'Content-Encoding': encoding,
    },
    body: new Uint8Array(body),
    signal: AbortSignal.timeout(HANG_TIMEOUT_MS),
  })

const expectRejected = async (response: Response): Promise<void> => {
  const { code } = errorBody.parse(await response.json())
  expect([response.status, code]).toEqual([415, 'encoded_content'])
}

const encodings: [string, (body: Buffer) => Buffer][] = [
  ['gzip', (body) => gzipSync(body)],
  ['GZip', (body) => gzipSync(body)],
  ['x-gzip', (body) => gzipSync(body)],
  // Stored without compression: a parser that does not decode it would find most of the form.
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

const routesWithBody = Object.entries<RouteContract>(publicRoutes).filter(([, { body }]) => body)

/** Each route gets one of the encodings; the same code rejects them in all routes, so two get all of them. */
const encodingsFor = (id: string) => {
  const index = routesWithBody.findIndex(([each]) => each === id) % encodings.length
  return id === 'login' || id === 'createUploads' ? encodings : encodings.slice(index, index + 1)
}

test.each(routesWithBody)(
  'When %s gets a body with a content encoding, then the response is 415',
  async (id, contract) => {
    const { email } = harness.organiser.user
    const json = Buffer.from(JSON.stringify({ email, password: harness.organiser.password }))
    const upload = Buffer.concat([
      Buffer.from('\r\n'),
      createForm().head,
      await uniquePhoto(),
      createForm().end,
    ])
    for (const [encoding, encode] of encodingsFor(id))
      await expectRejected(await send(contract, encoding, encode(contract.multipart ? upload : json)))
    expect(await listUploads(harness)).toEqual([])
  },
)

const LARGE = Buffer.alloc(90 * MB, 'a')
const bombs: [string, Buffer][] = [
  ['gzip', gzipSync(LARGE)],
  ['deflate', deflateSync(LARGE)],
  // The largest window: a decoder allocates 16 MB for it.
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
  'When %s gets many compressed bombs at once, then its memory grows by less than 60 MB',
  async (service, contract) => {
    const pid = harness.system.replicas(service)[0]?.pid() ?? 0
    const memoryBefore = await trackPeakMemory(pid)()
    const stopTracking = trackPeakMemory(pid)
    const responses = await Promise.all(
      bombs.flatMap(([encoding, bomb]) => Array.from({ length: 25 }, () => send(contract, encoding, bomb))),
    )
    for (const response of responses) await expectRejected(response)
    const growth = (await stopTracking()) - memoryBefore
    console.info(`${service}: ${responses.length} bombs increased its memory by ${growth} MB`)
    // This allows for garbage of 100 requests. Decoding four Brotli bodies would take as much.
    expect(growth).toBeLessThan(60)
    expect(findErrors(harness.system.log)).toEqual([])
  },
)

test('When the content encoding of a body is identity or empty, then it is accepted', async () => {
  const { user, password } = harness.organiser
  for (const encoding of ['identity', 'Identity', '']) {
    const { status } = await call(harness.api, login, {
      body: { email: user.email, password },
      headers: { 'Content-Encoding': encoding },
    })
    expect([encoding, status]).toEqual([encoding, 200])
  }
})
