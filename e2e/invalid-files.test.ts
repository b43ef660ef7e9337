import { call, readSample, sendFiles, uniquePhoto } from '@confetti/test-kit'
import { createUploads } from '@confetti/contracts'
import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import sharp from 'sharp'
import { download, startHarness, waitForProcessing, type Harness } from './harness.ts'

let harness: Harness

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.system.stop())

const blankImage = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#6d2a6b' }, limitInputPixels: false })

test.each<[string, () => Promise<Buffer>, RegExp]>([
  ['a 280-megapixel JPEG', () => blankImage(20_000, 14_000).jpeg().toBuffer(), /megapixels/],
  ['a PNG bomb', () => blankImage(16_384, 16_384).png().toBuffer(), /megapixels/],
  ['a truncated JPEG', async () => (await readSample('phone-jolla.jpg')).subarray(0, 300_000), /damaged/],
  ['half a video', async () => (await readSample('video.mp4')).subarray(0, 300_000), /video/],
  [
    'a script that starts like a GIF',
    () => Promise.resolve(Buffer.from('GIF89a/*' + 'x'.repeat(2_000))),
    /photo/,
  ],
])(
  'When %s is uploaded, then it fails with a reason, its original is kept, and the next photo is processed',
  async (_, createFile, reason) => {
    const bytes = new Uint8Array(await createFile())
    const invalid = await sendFiles(harness.api, harness.event._id, [{ name: 'bad', bytes }])
    expect(invalid.status).toBe(201)
    const valid = await sendFiles(harness.api, harness.event._id, [
      { name: 'good.jpg', bytes: await uniquePhoto() },
    ])

    const failed = await waitForProcessing(harness, invalid.body.uploads[0]._id as string)
    expect(failed.status).toBe('failed')
    expect(failed.failureReason).toMatch(reason)
    expect(failed).not.toHaveProperty('thumbnailUrl')
    expect((await download(failed.url)).equals(bytes)).toBe(true)
    expect((await waitForProcessing(harness, valid.body.uploads[0]._id as string)).status).toBe('ready')
  },
  180_000,
)

test.each<[string, Buffer<ArrayBuffer>, number, string]>([
  ['a text file named .jpg', Buffer.from('dear diary'), 415, 'unsupported_type'],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), 415, 'unsupported_type'],
  ['an empty file', Buffer.alloc(0), 400, 'empty_file'],
])('When %s is uploaded, then it is rejected immediately', async (_, bytes, status, code) => {
  const response = await sendFiles(harness.api, harness.event._id, [{ name: 'x.jpg', bytes }])
  expect([response.status, response.body.code]).toEqual([status, code])
  expect(
    (await sendFiles(harness.api, harness.event._id, [{ name: 'ok.jpg', bytes: await uniquePhoto() }]))
      .status,
  ).toBe(201)
})

test('When a file of 600 MB is uploaded, then it is rejected, and the next upload succeeds', async () => {
  const photo = await readSample('orientation-6.jpg')
  const chunk = Buffer.alloc(1_048_576)
  const head = Buffer.from(
    [
      `--x\r\nContent-Disposition: form-data; name="eventId"\r\n\r\n${harness.event._id}`,
      '--x\r\nContent-Disposition: form-data; name="photoCredit"\r\n\r\nTable 9',
      '--x\r\nContent-Disposition: form-data; name="media"; filename="huge.jpg"\r\n\r\n',
    ].join('\r\n'),
  )
  const status = await new Promise<number>((resolve, reject) => {
    const upload = request(`${harness.api}/api/uploads`, {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
    })
    upload.on('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    upload.on('error', reject)
    void (async () => {
      upload.write(Buffer.concat([head, photo]))
      for (let sent = 0; sent < 600; sent += 1)
        if (!upload.write(chunk)) await new Promise((drained) => upload.once('drain', drained))
      upload.end('\r\n--x--\r\n')
    })()
  })
  expect(status).toBe(413)
  const next = await sendFiles(harness.api, harness.event._id, [
    { name: 'ok.jpg', bytes: await uniquePhoto() },
  ])
  expect(next.status).toBe(201)
})

test('When the Content-Length of a request exceeds the limit, then it is rejected before its body is sent', async () => {
  const status = await new Promise<number>((resolve, reject) => {
    const upload = request(`${harness.api}/api/uploads`, {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Length': 30_000_000_000 },
    })
    upload.on('response', (response) => resolve(response.statusCode ?? 0)).on('error', reject)
    upload.flushHeaders()
  })
  expect(status).toBe(413)
})

test('When an upload request is not a form, then the response is 415', async () => {
  const response = await call(harness.api, createUploads, { body: { eventId: harness.event._id } })
  expect(response.status).toBe(415)
})
