import { call, sample, sendFiles, uniquePhoto } from '@confetti/test-kit'
import { createUploads } from '@confetti/contracts'
import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import sharp from 'sharp'
import { download, startStand, whenProcessed, type Stand } from './stand.ts'

let stand: Stand

beforeAll(async () => {
  stand = await startStand()
}, 120_000)
afterAll(() => stand.system.stop())

const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#6d2a6b' }, limitInputPixels: false })

test.each<[string, () => Promise<Buffer>, RegExp]>([
  ['a 280-megapixel JPEG', () => blank(20_000, 14_000).jpeg().toBuffer(), /megapixels/],
  ['a PNG bomb', () => blank(16_384, 16_384).png().toBuffer(), /megapixels/],
  ['a truncated JPEG', async () => (await sample('phone-jolla.jpg')).subarray(0, 300_000), /damaged/],
  ['half a video', async () => (await sample('video.mp4')).subarray(0, 300_000), /video/],
  ['a GIF that is a script', () => Promise.resolve(Buffer.from('GIF89a/*' + 'x'.repeat(2_000))), /photo/],
])(
  'When %s is sent, then it fails with a reason, its original stays, and the next photo is processed',
  async (_, make, reason) => {
    const bytes = new Uint8Array(await make())
    const sent = await sendFiles(stand.api, stand.event._id, [{ name: 'bad', bytes }])
    expect(sent.status).toBe(201)
    const good = await sendFiles(stand.api, stand.event._id, [
      { name: 'good.jpg', bytes: await uniquePhoto() },
    ])

    const failed = await whenProcessed(stand, sent.body.uploads[0]._id as string)
    expect(failed.status).toBe('failed')
    expect(failed.failureReason).toMatch(reason)
    expect(failed).not.toHaveProperty('thumbnailUrl')
    expect((await download(failed.url)).equals(bytes)).toBe(true)
    expect((await whenProcessed(stand, good.body.uploads[0]._id as string)).status).toBe('ready')
  },
  180_000,
)

test.each<[string, Buffer<ArrayBuffer>, number, string]>([
  ['a text that is named .jpg', Buffer.from('dear diary'), 415, 'unsupported_type'],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), 415, 'unsupported_type'],
  ['an empty file', Buffer.alloc(0), 400, 'empty_file'],
])('When %s is sent, then it is refused at once', async (_, bytes, status, code) => {
  const reply = await sendFiles(stand.api, stand.event._id, [{ name: 'x.jpg', bytes }])
  expect([reply.status, reply.body.code]).toEqual([status, code])
  expect(
    (await sendFiles(stand.api, stand.event._id, [{ name: 'ok.jpg', bytes: await uniquePhoto() }])).status,
  ).toBe(201)
})

test('When a file of 600 MB is sent, then it is refused, and the service goes on', async () => {
  const photo = await sample('orientation-6.jpg')
  const chunk = Buffer.alloc(1_048_576)
  const head = Buffer.from(
    [
      `--x\r\nContent-Disposition: form-data; name="eventId"\r\n\r\n${stand.event._id}`,
      '--x\r\nContent-Disposition: form-data; name="photoCredit"\r\n\r\nTable 9',
      '--x\r\nContent-Disposition: form-data; name="media"; filename="huge.jpg"\r\n\r\n',
    ].join('\r\n'),
  )
  const status = await new Promise<number>((resolve, reject) => {
    const sending = request(`${stand.api}/api/uploads`, {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
    })
    sending.on('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sending.on('error', reject)
    void (async () => {
      sending.write(Buffer.concat([head, photo]))
      for (let sent = 0; sent < 600; sent += 1)
        if (!sending.write(chunk)) await new Promise((drained) => sending.once('drain', drained))
      sending.end('\r\n--x--\r\n')
    })()
  })
  expect(status).toBe(413)
  const next = await sendFiles(stand.api, stand.event._id, [{ name: 'ok.jpg', bytes: await uniquePhoto() }])
  expect(next.status).toBe(201)
}, 180_000)

test('When a request says that it is larger than any may be, then it is refused before it is sent', async () => {
  const status = await new Promise<number>((resolve, reject) => {
    const sending = request(`${stand.api}/api/uploads`, {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Length': 30_000_000_000 },
    })
    sending.on('response', (response) => resolve(response.statusCode ?? 0)).on('error', reject)
    sending.flushHeaders()
  })
  expect(status).toBe(413)
})

test('When the form is none, then the answer says what is wrong', async () => {
  const reply = await call(stand.api, createUploads, { body: { eventId: stand.event._id } })
  expect(reply.status).toBe(415)
})
