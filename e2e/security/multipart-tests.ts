import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createUploads, listEventUploads } from '@confetti/contracts'
import {
  call,
  eventually,
  HANG_TIMEOUT_MS,
  readGauge,
  readResponse,
  type ApiResponse,
} from '@confetti/test-kit'
import { beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { download, listUploads, type Harness } from '../harness.ts'
import { joinSystemWithoutMedia } from '../shared-system.ts'
import { sha256 } from '../sha256.ts'
import { fuzz, FUZZ_TIMEOUT_MS } from './fuzz.ts'
import { findErrors } from './log-lines.ts'
import { corpus, toCorpusFile, withEventId, type MultipartBody } from './multipart-body.ts'
import { mutatedBody, type MutatedBody } from './multipart-mutations.ts'

let harness: Harness
/** The hashes of all acknowledged files by upload id. */
const acknowledged = new Map<string, string>()
const responsesByStatus: Record<number, number> = {}

beforeAll(async () => {
  harness = await joinSystemWithoutMedia()
})

const toChunkedStream = (body: Buffer, sizes: readonly number[]): ReadableStream => {
  let sent = 0
  return new ReadableStream({
    pull: (controller) => {
      const size = sizes.at(sent % sizes.length) ?? 1
      // After some 50 chunks the rest is sent at once, to save time with large bodies.
      const chunk = sent < 50 * size ? body.subarray(sent, sent + size) : body.subarray(sent)
      sent += chunk.length
      if (chunk.length > 0) controller.enqueue(chunk)
      if (sent >= body.length) controller.close()
    },
  })
}

const send = async (
  { contentType, body }: MultipartBody,
  chunkSizes: readonly number[] = [],
): Promise<ApiResponse> => {
  const response = await fetch(`${harness.api}/api/uploads`, {
    method: 'POST',
    headers: { 'Content-Type': contentType },
    body: chunkSizes.length > 0 ? toChunkedStream(body, chunkSizes) : body,
    duplex: 'half',
    signal: AbortSignal.timeout(HANG_TIMEOUT_MS),
  } as RequestInit)
  return readResponse(createUploads, response)
}

/** Whether the body contains the bytes of a file after a blank line, without any gap. */
const containsFile = (body: Buffer, { size, sha256: hash }: { size: number; sha256: string }): boolean => {
  for (let at = body.indexOf('\r\n\r\n'); at >= 0; at = body.indexOf('\r\n\r\n', at + 1))
    if (sha256(body.subarray(at + 4, at + 4 + size)) === hash) return true
  return false
}

/** Sends a form. Expects that it is rejected with a documented error, or that the body contains all stored files. */
const sendAndCheck = async (form: MultipartBody, chunkSizes?: readonly number[]): Promise<number> => {
  const { status, body } = await send(form, chunkSizes)
  expect([201, 400, 404, 413, 415]).toContain(status)
  responsesByStatus[status] = (responsesByStatus[status] ?? 0) + 1
  for (const upload of status === 201 ? body.uploads : []) {
    expect(containsFile(form.body, upload)).toBe(true)
    acknowledged.set(upload._id, upload.sha256)
  }
  return status
}

test.each(corpus)('$name', async (entry) => {
  expect(await sendAndCheck(withEventId(entry, harness.event._id))).toBe(entry.status)
  expect(await sendAndCheck(withEventId(entry, harness.event._id), [1, 7, 64])).toBe(entry.status)
})

/** Writes a body to a temporary file, so that it can be added to the corpus. */
const saveCounterexample = (form: MutatedBody): string => {
  const file = join(mkdtempSync(join(tmpdir(), 'confetti-counterexample-')), 'STATUS-description.http')
  writeFileSync(file, toCorpusFile(form))
  return `To add it to the corpus, rename ${file} and move it to e2e/security/corpus/multipart/`
}

test(
  'When forms are mutated randomly, then each is rejected with a documented error or stored without changes',
  async () => {
    const property = fc.asyncProperty(mutatedBody, async (mutated) => {
      await sendAndCheck(withEventId(mutated, harness.event._id), mutated.chunkSizes)
    })
    await fuzz('multipart bodies', property, { cases: 120, saveCounterexample })
    console.info('responses by status', responsesByStatus)
  },
  FUZZ_TIMEOUT_MS,
)

test('When all tests have run, then exactly the acknowledged files are stored and all memory is released', async () => {
  // The last requests may still be in progress when the fuzzing time is over.
  const uploads = await eventually(async () => {
    const listed = await listUploads(harness)
    return listed.length === acknowledged.size && listed
  }, `exactly ${acknowledged.size} uploads`)
  expect(new Set(uploads.map(({ _id }) => _id))).toEqual(new Set(acknowledged.keys()))
  const sample = uploads.slice(0, 50)
  for (const { _id, url } of sample) expect(sha256(await download(url))).toBe(acknowledged.get(_id))
  expect(uploads.length).toBeGreaterThan(0)

  await eventually(
    async () => (await readGauge(harness.system, 'uploads', 'uploads_bytes_in_flight')) === 0,
    'the release of all memory',
  )
  expect(findErrors(harness.system.log)).toEqual([])
  const { status } = await call(harness.api, listEventUploads, {
    token: harness.admin.token,
    params: { eventId: harness.event._id },
    query: { limit: '1' },
  })
  expect(status).toBe(200)
})
