import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createUploads, listEventUploads } from '@confetti/contracts'
import { call, eventually, gauge, readReply, type Reply } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { sha256 } from '../sha256.ts'
import { download, listUploads, startStand, type Stand } from '../stand.ts'
import { fuzz, FUZZ_TIME_LIMIT_MS } from './fuzz.ts'
import { asCorpusFile, corpus, forEvent, type MultipartBody } from './multipart-body.ts'
import { mutatedBody, type MutatedBody } from './multipart-mutations.ts'
import { troublesIn } from './running.ts'

let stand: Stand
/** The files that answers have promised to keep: their SHA-256 by upload. */
const promised = new Map<string, string>()
const answers: Record<number, number> = {}

beforeAll(async () => {
  stand = await startStand({
    services: ['auth', 'events', 'uploads', 'contact', 'gateway'],
    environment: {
      gateway: { ADDRESS_REQUESTS_PER_MINUTE: '1000000', ADDRESS_CEILING_PER_MINUTE: '1000000' },
    },
  })
}, 120_000)
afterAll(() => stand.system.stop())

const inPieces = (body: Buffer, sizes: readonly number[]): ReadableStream => {
  let sent = 0
  return new ReadableStream({
    pull: (controller) => {
      const size = sizes.at(sent % sizes.length) ?? 1
      // What is left goes at once after some pieces, so that a large body does not take for ever.
      const piece = sent < 50 * size ? body.subarray(sent, sent + size) : body.subarray(sent)
      sent += piece.length
      if (piece.length > 0) controller.enqueue(piece)
      if (sent >= body.length) controller.close()
    },
  })
}

const send = async ({ contentType, body }: MultipartBody, pieces: readonly number[] = []): Promise<Reply> => {
  const response = await fetch(`${stand.api}/api/uploads`, {
    method: 'POST',
    headers: { 'Content-Type': contentType },
    body: pieces.length > 0 ? inPieces(body, pieces) : body,
    duplex: 'half',
    // A hang is a failure.
    signal: AbortSignal.timeout(20_000),
  } as RequestInit)
  return readReply(createUploads, response)
}

/** Whether a file is in the body, from a blank line on, with nothing between added or left out. */
const holds = (body: Buffer, { size, sha256: hash }: { size: number; sha256: string }): boolean => {
  for (let at = body.indexOf('\r\n\r\n'); at >= 0; at = body.indexOf('\r\n\r\n', at + 1))
    if (sha256(body.subarray(at + 4, at + 4 + size)) === hash) return true
  return false
}

/** Sends it, and proves that it is refused in our words, or that what is said to be kept was in it. */
const sendAndJudge = async (sent: MultipartBody, pieces?: readonly number[]): Promise<number> => {
  const { status, body } = await send(sent, pieces)
  expect([201, 400, 404, 413, 415]).toContain(status)
  answers[status] = (answers[status] ?? 0) + 1
  for (const upload of status === 201 ? body.uploads : []) {
    expect(holds(sent.body, upload)).toBe(true)
    promised.set(upload._id, upload.sha256)
  }
  return status
}

test.each(corpus)('$name', async (entry) => {
  expect(await sendAndJudge(forEvent(entry, stand.event._id))).toBe(entry.status)
  expect(await sendAndJudge(forEvent(entry, stand.event._id), [1, 7, 64])).toBe(entry.status)
})

/** Puts a body that broke something where a person can pick it up. */
const keep = (found: MutatedBody): string => {
  const file = join(mkdtempSync(join(tmpdir(), 'confetti-found-')), 'STATUS-what-is-odd.http')
  writeFileSync(file, asCorpusFile(found))
  return `To keep it, name ${file} well and move it to e2e/security/corpus/multipart/`
}

test(
  'When forms are mutated at random, then each is refused in our words, or what is kept of it was in it',
  async () => {
    const property = fc.asyncProperty(mutatedBody, async (mutated) => {
      await sendAndJudge(forEvent(mutated, stand.event._id), mutated.pieces)
    })
    await fuzz('multipart bodies', property, { keep })
    console.info('answers by status', answers)
  },
  FUZZ_TIME_LIMIT_MS,
)

// So that what does not come true is named before the test runs out of time.
const WELL_WITHIN_MS = 25_000

test('When all of that is over, then what was promised is there, nothing else is, and nothing is held', async () => {
  // When the time for fuzzing ends, the last calls are still under way.
  const uploads = await eventually(
    async () => {
      const listed = await listUploads(stand)
      return listed.length === promised.size && listed
    },
    `${promised.size} uploads, as were promised`,
    WELL_WITHIN_MS,
  )
  expect(new Set(uploads.map(({ _id }) => _id))).toEqual(new Set(promised.keys()))
  const sample = uploads.slice(0, 200)
  for (const { _id, url } of sample) expect(sha256(await download(url))).toBe(promised.get(_id))
  expect(uploads.length).toBeGreaterThan(0)

  await eventually(
    async () => (await gauge(stand.system, 'uploads', 'uploads_bytes_in_flight')) === 0,
    'all memory being given back',
    WELL_WITHIN_MS,
  )
  expect(troublesIn(stand.system.log)).toEqual([])
  const { status } = await call(stand.api, listEventUploads, {
    token: stand.admin.token,
    params: { eventId: stand.event._id },
    query: { limit: '1' },
  })
  expect(status).toBe(200)
})
