import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Upload } from '@confetti/contracts'
import { eventually, newEvent, sendFiles, uniquePhoto } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { download, listUploads, startHarness, waitForProcessing, type Harness } from '../harness.ts'
import { bombs } from './bombs.ts'
import { polyglotFiles } from './disguised-files.ts'
import { filesWithReferences } from './files-with-references.ts'
import { findErrors } from './log-lines.ts'
import { trackPeakMemory } from './process-memory.ts'

let harness: Harness
/** The server to which files refer. No service may send a request to it. */
let referencedServer: Server
let requestCount = 0

/** Polyglot files and files with references by their description: sent before the first test, and processed during others. */
const sent = new Map<string, { id: string; bytes: Buffer }>()

beforeAll(async () => {
  referencedServer = createServer((_, response) => {
    requestCount += 1
    response.end()
  }).listen(0, '127.0.0.1')
  harness = await startHarness({ processes: ['media'] })
  const url = `http://127.0.0.1:${(referencedServer.address() as AddressInfo).port}/media`
  const files = [
    ...polyglotFiles,
    ...filesWithReferences.map(
      ([description, createFile]) => [description, url, undefined, () => createFile(url)] as const,
    ),
  ]
  for (const [description, name, type, createFile] of files) {
    const bytes = await createFile()
    sent.set(description, { id: await upload(name, bytes, type), bytes })
  }
})
afterAll(async () => {
  await harness.system.stop()
  referencedServer.close()
})

const upload = async (name: string, bytes: Uint8Array<ArrayBuffer>, type?: string): Promise<string> => {
  const { status, body } = await sendFiles(harness.api, harness.event._id, [
    { name, bytes, ...(type && { type }) },
  ])
  expect([status, body.message]).toEqual([201, 'Media uploaded successfully.'])
  return body.uploads[0]._id as string
}

test('When many bombs are uploaded, then each has the expected outcome, memory is bounded, and photos between them are ready', async () => {
  const event = await newEvent(harness.api, harness.admin, harness.organiser)
  const stopTracking = trackPeakMemory(harness.system.replicas('media')[0]?.pid() ?? 0)
  const sentBombs: [string, string, RegExp | 'ready'][] = []
  const send = async (credit: string, bytes: Buffer<ArrayBuffer>, expected: RegExp | 'ready') => {
    const { status, body } = await sendFiles(harness.api, event._id, [{ name: 'x', bytes }], credit)
    expect([credit, status]).toEqual([credit, 201])
    sentBombs.push([credit, body.uploads[0]._id as string, expected])
  }
  for (const [n, [name, createFile, expected]] of bombs.entries()) {
    await send(name, await createFile(), expected)
    if (n % 5 === 3) await send(`the photo after ${name}`, await uniquePhoto(), 'ready')
  }
  const uploads = await eventually(
    async () => {
      const listed = await listUploads(harness, event._id)
      return listed.every(({ status }) => status !== 'processing') && listed
    },
    'processing of all files',
    240_000,
  )
  const outcomes = sentBombs.map(([name, id]) => {
    const { status, failureReason, thumbnailUrl } =
      uploads.find(({ _id }) => _id === id) ?? ({} as Partial<Upload>)
    expect([name, thumbnailUrl !== undefined]).toEqual([name, status === 'ready'])
    return [name, failureReason ?? status]
  })
  expect(outcomes).toEqual(
    sentBombs.map(([name, , expected]) => [
      name,
      expected === 'ready' ? expected : expect.stringMatching(expected),
    ]),
  )
  const peakMb = await stopTracking()
  console.info(`bombs: the media worker and its decoders used at most ${peakMb} MB`)
  // Two decoders run at once with 1 GB each, in addition to the worker itself.
  expect(peakMb).toBeLessThan(2 * 1_024 + 300)
}, 300_000)

test.each(polyglotFiles)(
  'When %s is uploaded, then its bytes determine its type, and thumbnail and preview are re-encoded',
  async (description, _name, _type, _createFile, contentType, filename) => {
    const { id = '', bytes } = sent.get(description) ?? {}
    const processed = await waitForProcessing(harness, id)
    expect(processed).toMatchObject({
      status: 'ready',
      contentType,
      filename: expect.stringMatching(filename),
    })

    const original = await fetch(processed.url)
    expect(original.headers.get('content-type')).toBe(contentType)
    expect(original.headers.get('content-disposition')).toMatch(/^attachment; /)
    expect(bytes?.equals(Buffer.from(await original.arrayBuffer()))).toBe(true)
    for (const url of [processed.thumbnailUrl, processed.previewUrl]) {
      const derivative = await fetch(url ?? '')
      expect(derivative.headers.get('content-type')).toBe('image/webp')
      const image = Buffer.from(await derivative.arrayBuffer())
      expect(image.toString('latin1')).toMatch(/^RIFF[^]{4}WEBPVP8/)
      expect(image.includes('script')).toBe(false)
    }
  },
)

test.each(filesWithReferences)(
  'When a file %s, then no service follows the reference',
  async (description) => {
    const processed = await waitForProcessing(harness, sent.get(description)?.id ?? '')
    expect(processed.originalName).toBe('media')
    if (processed.previewUrl) expect((await download(processed.previewUrl)).includes('root:')).toBe(false)
    expect(requestCount).toBe(0)
  },
)

test('When all tests have run, then no service has logged an error', () => {
  expect(findErrors(harness.system.log)).toEqual([])
})
