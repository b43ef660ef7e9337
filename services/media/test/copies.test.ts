import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { blobNames } from '@confetti/contracts'
import { eventually, readSample } from '@confetti/test-kit'
import readExif from 'exif-reader'
import sharp from 'sharp'
import { startHarness, type Harness, type Upload } from './harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())

const readCopy = ({ uploadId }: Upload): Promise<Buffer> =>
  harness.container.getBlobClient(blobNames.copy(uploadId)).downloadToBuffer()
const fileOf = (copy: Buffer) => ({ size: copy.length, crc32: crc32(copy) })
const exifOf = async (copy: Buffer) => readExif((await sharp(copy).metadata()).exif ?? Buffer.alloc(0))
const asText = (date: unknown): string | undefined => (date as Date | undefined)?.toISOString()

test('When a copy is asked for with a photo, then it is made with its preview, and has time and credit but neither position nor camera', async () => {
  const photo = await readSample('camera-gps.jpg')
  const original = readExif((await sharp(photo).metadata()).exif ?? Buffer.alloc(0))
  expect(original).toMatchObject({ GPSInfo: expect.anything(), Image: { Model: expect.anything() } })
  const upload = harness.newUpload()
  await harness.putOriginal(upload, photo)
  const wrongTime = '2026-06-20T18:15:00+02:00'
  await harness.publishCompletedWithCopy(upload, photo.length, { artist: 'Zoë ☀', takenAt: wrongTime })

  const { data } = await harness.waitForOutcome(upload)
  const copy = await readCopy(upload)
  expect(data).toMatchObject({ copy: fileOf(copy) })
  const { width, height, ...metadata } = await sharp(copy).metadata()
  expect(metadata).toMatchObject({ format: 'jpeg', space: 'srgb' })
  expect(metadata).not.toHaveProperty('xmp')
  expect(metadata).not.toHaveProperty('iptc')
  expect(Math.max(width, height)).toBeLessThanOrEqual(2_560)
  const exif = await exifOf(copy)
  expect(exif.GPSInfo).toBeUndefined()
  expect(Object.keys(exif.Image ?? {}).toSorted()).toEqual(['Artist', 'ExifTag'])
  expect(Object.keys(exif.Photo ?? {})).toEqual(['DateTimeOriginal'])
  expect(copy.includes('Zoë ☀\0')).toBe(true)
  expect(asText(exif.Photo?.DateTimeOriginal)).toBe(asText(original.Photo?.DateTimeOriginal))
  const preview = await harness.container.getBlobClient(blobNames.preview(upload.uploadId)).downloadToBuffer()
  const { width: previewWidth, height: previewHeight } = await sharp(preview).metadata()
  expect(Math.max(previewWidth, previewHeight)).toBeLessThanOrEqual(1_600)
})

test('When the copy of a photo is asked for later, then it is at most 2,560 px, upright, and reported again if it is asked for again', async () => {
  const photo = await readSample('phone-jolla.jpg')
  const upload = await harness.upload(photo, 'image/jpeg')
  expect((await harness.waitForOutcome(upload)).data).not.toHaveProperty('copy')
  const request = { contentType: 'image/jpeg', size: photo.length, copy: { artist: 'Table 4' } } as const
  await harness.requestCopy(upload, request)
  const { data } = await harness.waitForCopy(upload)
  const copy = await readCopy(upload)
  expect(data).toEqual({ uploadId: upload.uploadId, copy: fileOf(copy) })
  expect(await sharp(copy).metadata()).toMatchObject({ width: 2_560, height: 1_920 })
  await harness.requestCopy(upload, request)
  expect((await harness.waitForCopy(upload, 2)).data).toEqual(data)
})

test('When a HEIC of a phone gets a copy, then it is an upright JPEG in sRGB with the time of the photo, and nothing of the phone', async () => {
  const photo = await readSample('iphone-13.heic')
  expect(photo.includes('iPhone')).toBe(true)
  const upload = harness.newUpload()
  await harness.putOriginal(upload, photo)
  const copy = { artist: 'Table 4' }
  await harness.requestCopy(upload, { contentType: 'image/heic', size: photo.length, copy })
  await harness.waitForCopy(upload)
  const bytes = await readCopy(upload)
  const size = { width: 1_920, height: 2_560 }
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', space: 'srgb', ...size })
  const exif = await exifOf(bytes)
  expect(Object.keys(exif.Image ?? {}).toSorted()).toEqual(['Artist', 'ExifTag'])
  expect(Object.keys(exif.Photo ?? {}).toSorted()).toEqual(['DateTimeOriginal', 'OffsetTimeOriginal'])
  expect(asText(exif.Photo?.DateTimeOriginal)).toBe('2022-02-16T12:55:41.000Z')
  expect(exif.Photo?.OffsetTimeOriginal).toBe('+01:00')
  for (const maker of ['iPhone', 'Apple']) expect(bytes.includes(maker)).toBe(false)
})

test('When a photo does not say when it was taken, then its copy has the time that uploads knows, with the zone, and no transparency', async () => {
  const upload = harness.newUpload()
  await harness.putOriginal(upload, await readSample('gradient.png'))
  const copy = { artist: 'Table 4', takenAt: '2026-06-20T18:15:00+02:00' }
  await harness.requestCopy(upload, { contentType: 'image/png', size: 1, copy })
  await harness.waitForCopy(upload)
  const bytes = await readCopy(upload)
  const exif = await exifOf(bytes)
  expect(asText(exif.Photo?.DateTimeOriginal)).toBe('2026-06-20T18:15:00.000Z')
  expect(exif.Photo?.OffsetTimeOriginal).toBe('+02:00')
  expect(await sharp(bytes).metadata()).toMatchObject({ hasAlpha: false, space: 'srgb' })
})

test('When an upload is deleted, then its copy goes with it, also one that is asked for afterwards', async () => {
  const photo = await readSample('orientation-6.jpg')
  const upload = harness.newUpload()
  await harness.putOriginal(upload, photo)
  const copy = { artist: 'Table 4' }
  await harness.publishCompletedWithCopy(upload, photo.length, copy)
  await harness.waitForOutcome(upload)
  expect(await harness.blobsOf(upload)).toContain(blobNames.copy(upload.uploadId))
  await harness.publishDeleted(upload)
  await eventually(async () => (await harness.blobsOf(upload)).length === 0, 'the removal')
  await harness.putOriginal(upload, photo)
  await harness.requestCopy(upload, { contentType: 'image/jpeg', size: photo.length, copy })
  await eventually(async () => (await harness.blobsOf(upload)).length === 0, 'the removal')
})
