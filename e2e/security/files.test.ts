import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Upload } from '@confetti/contracts'
import { eventually, newEvent, sendFiles, uniquePhoto } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { download, listUploads, startStand, whenProcessed, type Stand } from '../stand.ts'
import { bombs } from './bombs.ts'
import { foreignFiles, twoFacedFiles } from './lying-files.ts'
import { watchMemory } from './memory.ts'
import { pointingFiles } from './pointing-files.ts'
import { troublesIn } from './running.ts'

let stand: Stand
/** What files name as the place of their media; nobody is to ask there. */
let trap: Server
let asked = 0

beforeAll(async () => {
  trap = createServer((_, response) => {
    asked += 1
    response.end()
  }).listen(0, '127.0.0.1')
  stand = await startStand()
}, 120_000)
afterAll(async () => {
  await stand.system.stop()
  trap.close()
})

const send = async (name: string, bytes: Uint8Array<ArrayBuffer>, type?: string): Promise<string> => {
  const { status, body } = await sendFiles(stand.api, stand.event._id, [
    { name, bytes, ...(type && { type }) },
  ])
  expect([status, body.message]).toEqual([201, 'Media uploaded successfully.'])
  return body.uploads[0]._id as string
}

test('When bombs are sent all at once, then each fails with its reason, memory stays, and photos between them are shown', async () => {
  const event = await newEvent(stand.api, stand.admin, stand.organiser)
  const memoryMB = watchMemory(stand.system.replicas('media')[0]?.pid() ?? 0)
  const sent: [string, string, RegExp | 'ready'][] = []
  for (const [name, make, outcome] of bombs)
    for (const [credit, bytes, expected] of [
      [name, await make(), outcome],
      [`the photo behind ${name}`, await uniquePhoto(), 'ready'],
    ] as const) {
      const { status, body } = await sendFiles(stand.api, event._id, [{ name: 'x', bytes }], credit)
      expect([credit, status]).toEqual([credit, 201])
      sent.push([credit, body.uploads[0]._id as string, expected])
    }
  const uploads = await eventually(
    async () => {
      const listed = await listUploads(stand, event._id)
      return listed.every(({ status }) => status !== 'processing') && listed
    },
    'the end of all bombs',
    240_000,
  )
  const seen = sent.map(([name, id]) => {
    const { status, failureReason, thumbnailUrl } =
      uploads.find(({ _id }) => _id === id) ?? ({} as Partial<Upload>)
    expect([name, thumbnailUrl !== undefined]).toEqual([name, status === 'ready'])
    return [name, failureReason ?? status]
  })
  expect(seen).toEqual(
    sent.map(([name, , expected]) => [
      name,
      expected === 'ready' ? expected : expect.stringMatching(expected),
    ]),
  )
  const most = await memoryMB()
  console.info(`bombs: the media worker and its decoders had ${most} MB at most`)
  // Two decoders at once, each of which may take 1 GB, and the worker itself.
  expect(most).toBeLessThan(2 * 1_024 + 300)
}, 300_000)

test.each(twoFacedFiles)(
  'When %s is sent, then it is what its bytes say, is saved as that, and shown as what was decoded',
  async (_, name, type, make, contentType, filename) => {
    const bytes = await make()
    const upload = await whenProcessed(stand, await send(name, bytes, type))
    expect(upload).toMatchObject({ status: 'ready', contentType, filename: expect.stringMatching(filename) })

    const original = await fetch(upload.url)
    expect(original.headers.get('content-type')).toBe(contentType)
    expect(original.headers.get('content-disposition')).toMatch(/^attachment; /)
    expect(Buffer.from(await original.arrayBuffer()).equals(bytes)).toBe(true)
    for (const url of [upload.thumbnailUrl, upload.previewUrl]) {
      const shown = await fetch(url ?? '')
      expect(shown.headers.get('content-type')).toBe('image/webp')
      const picture = Buffer.from(await shown.arrayBuffer())
      expect(picture.toString('latin1')).toMatch(/^RIFF[^]{4}WEBPVP8/)
      expect(picture.includes('script')).toBe(false)
    }
  },
)

test.each(foreignFiles)('When %s calls itself a photo, then it is refused at once', async (_, content) => {
  const bytes = Buffer.concat([Buffer.from(content, 'latin1'), Buffer.alloc(5_000, ' ')])
  const reply = await sendFiles(stand.api, stand.event._id, [
    { name: 'photo.jpg', type: 'image/jpeg', bytes },
  ])
  expect([reply.status, reply.body.code]).toEqual([415, 'unsupported_type'])
})

test.each(pointingFiles)('When a file %s, then nobody asks there', async (_, make) => {
  const address = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/media`
  const upload = await whenProcessed(stand, await send(address, await make(address)))
  expect(upload.originalName).toBe('media')
  if (upload.previewUrl) expect((await download(upload.previewUrl)).includes('root:')).toBe(false)
  expect(asked).toBe(0)
})

test('When all of that is over, then no service has seen an error', () => {
  expect(troublesIn(stand.system.log)).toEqual([])
})
