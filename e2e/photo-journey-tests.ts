import { deleteUpload, listMyEventUploads, type Upload } from '@confetti/contracts'
import { call, eventually, newEvent, readSample, sendFiles, type SampleName } from '@confetti/test-kit'
import { beforeAll, expect, test } from '@jest/globals'
import sharp from 'sharp'
import { download, listUploads, waitForProcessing, type Harness } from './harness.ts'
import { joinSystem } from './shared-system.ts'

let harness: Harness

beforeAll(async () => {
  harness = await joinSystem()
})

// What each type of file becomes is shown by the tests of uploads and media.
test.each<[SampleName, Partial<Upload>]>([
  ['iphone-13.heic', { contentType: 'image/heic', width: 3024, height: 4032 }],
  ['video.mp4', { contentType: 'video/mp4', width: 320, durationSeconds: 7.8 }],
])(
  'When a guest uploads %s, then the organiser can see and download it, and deletion removes all its blobs',
  async (name, metadata) => {
    const { api, admin, organiser } = harness
    const event = await newEvent(api, admin, organiser)
    const bytes = await readSample(name)
    const created = await sendFiles(api, event._id, [{ name, bytes }], 'Table 7')
    expect(created.status).toBe(201)
    const uploadId = created.body.uploads[0]._id as string

    await waitForProcessing(harness, uploadId, event._id)
    const { body } = await call(api, listMyEventUploads, {
      token: organiser.token,
      params: { eventId: event._id },
    })
    const upload = body.uploads[0] as Upload
    expect(upload).toMatchObject({
      _id: uploadId,
      status: 'ready',
      photoCredit: 'Table 7',
      originalName: name,
      filename: `${event._id}/${name}`,
      size: bytes.length,
      ...metadata,
    })
    expect((await download(upload.url)).equals(bytes)).toBe(true)

    const thumbnail = await sharp(await download(upload.thumbnailUrl ?? '')).metadata()
    const preview = await sharp(await download(upload.previewUrl ?? '')).metadata()
    expect([thumbnail.format, preview.format]).toEqual(['webp', 'webp'])
    expect(Math.max(thumbnail.width, thumbnail.height)).toBeLessThanOrEqual(400)
    expect(Math.max(preview.width, preview.height)).toBeLessThanOrEqual(1600)
    const aspectRatio = (upload.width ?? 0) / (upload.height ?? 1)
    expect(thumbnail.width / thumbnail.height).toBeCloseTo(aspectRatio, 1)
    expect([thumbnail.exif, preview.exif]).toEqual([undefined, undefined])

    const deleted = await call(api, deleteUpload, { token: admin.token, params: { uploadId } })
    expect(deleted.body).toEqual({ message: 'Upload deleted successfully' })
    expect(await listUploads(harness, event._id)).toEqual([])
    for (const url of [upload.url, upload.thumbnailUrl, upload.previewUrl])
      await eventually(async () => (await fetch(url ?? '')).status === 404, 'the deletion of the blob')
  },
)

test('When a page reads an upload from blob storage, then CORS allows only the origin of the shell', async () => {
  const { api, event } = harness
  const created = await sendFiles(api, event._id, [
    { name: 'cors.jpg', bytes: await readSample('camera-gps.jpg') },
  ])
  const upload = await waitForProcessing(harness, created.body.uploads[0]._id as string)
  const allowedOrigin = async (origin: string) =>
    (await fetch(upload.url, { headers: { Origin: origin } })).headers.get('access-control-allow-origin')
  expect(await allowedOrigin('http://localhost:3000')).toBe('http://localhost:3000')
  expect(await allowedOrigin('http://elsewhere.test')).toBeNull()
})
