import { expect, test } from '@jest/globals'
import { findCapture, toLocalTime, toTakenAt, type CaptureSources } from './capture-time.ts'

const UPLOADED_AT = new Date('2026-06-20T20:00:00.500Z')

const capture = (sources: Partial<CaptureSources>, zone: string | undefined = 'Europe/Berlin') =>
  findCapture(
    { originalName: 'photo.jpg', contentType: 'image/jpeg', uploadedAt: UPLOADED_AT, ...sources },
    zone,
  )
const takenAt = (sources: Partial<CaptureSources>, zone?: string) => toTakenAt(capture(sources, zone))

test.each([
  ['2026-06-20T17:30:00+02:00', 'exif', '2026-06-20T17:30:00+02:00'],
  ['2026-06-20T16:30:00+01:00', 'exif', '2026-06-20T17:30:00+02:00'],
  ['2026-06-20T18:00:00', 'exif-local', '2026-06-20T18:00:00+02:00'],
  ['2026-06-20T16:15:00Z', 'container', '2026-06-20T18:15:00+02:00'],
  ['2026-01-20T18:00:00', 'exif-local', '2026-01-20T18:00:00+01:00'],
] as const)(
  'When a file says %s (%s) in an event in Berlin, then it was taken at %s',
  (time, source, expected) => {
    expect(takenAt({ takenAt: time, takenAtSource: source })).toEqual({
      takenAt: expected,
      takenAtSource: source,
    })
  },
)

test.each([
  ['IMG-20260620-WA0007.jpg', '2026-06-20T12:00:00+02:00'],
  ['VID-20260619-WA0001.mp4', '2026-06-19T12:00:00+02:00'],
  ['PXL_20260620_161500123.jpg', '2026-06-20T18:15:00+02:00'],
  ['PXL_20260620_161500123.MP.jpg', '2026-06-20T18:15:00+02:00'],
  ['IMG_20260620_181500.jpg', '2026-06-20T18:15:00+02:00'],
  ['IMG_20260620_181500_HDR.jpg', '2026-06-20T18:15:00+02:00'],
  ['IMG20260620181500.jpg', '2026-06-20T18:15:00+02:00'],
  ['20260620_181500(0).jpg', '2026-06-20T18:15:00+02:00'],
  ['VID_20260620_181500.mp4', '2026-06-20T18:15:00+02:00'],
  ['Screenshot_20260620-181500_Chrome.jpg', '2026-06-20T18:15:00+02:00'],
  ['Screenshot_2026-06-20-18-15-00-123_com.app.png', '2026-06-20T18:15:00+02:00'],
  ['Screenshot 2026-06-20 at 18.15.00.png', '2026-06-20T18:15:00+02:00'],
  ['WhatsApp Image 2026-06-20 at 18.15.00 (1).jpeg', '2026-06-20T18:15:00+02:00'],
  ['photo_2026-06-20_18-15-00.jpg', '2026-06-20T18:15:00+02:00'],
  ['signal-2026-06-20-181500.jpg', '2026-06-20T18:15:00+02:00'],
  ['2026-06-20 18.15.00.jpg', '2026-06-20T18:15:00+02:00'],
  ['Screenshot 2026-06-20 at 6.15.00 PM.png', '2026-06-20T18:15:00+02:00'],
  ['Screenshot 2026-06-20 at 10.15.00\u202fPM.png', '2026-06-20T22:15:00+02:00'],
  ['WhatsApp Image 2026-06-20 at 12.15.00 AM.jpeg', '2026-06-20T00:15:00+02:00'],
  ['Bildschirmfoto 2026-06-20 um 18.15.00.png', '2026-06-20T18:15:00+02:00'],
  ['Capture d\u2019\u00e9cran 2026-06-20 \u00e0 18.15.00.png', '2026-06-20T18:15:00+02:00'],
  ['original_PXL_20260620_161500123.jpg', '2026-06-20T18:15:00+02:00'],
  // No times: impossible, ambiguous, or numbers of other things.
  ['IMG_20261340_181500.jpg', undefined],
  ['IMG_20260620_12345.jpg', '2026-06-20T12:00:00+02:00'],
  ['IMG_20260620_991500.jpg', undefined],
  ['IMG_20260620_240000.jpg', undefined],
  ['IMG_2026.HEIC', undefined],
  ['1718900100000.jpg', undefined],
  ['DSC02026.JPG', undefined],
  ['FB_IMG_1718900100000.jpg', undefined],
  ['20-06-2026.jpg', undefined],
])('When all that is known of a file is its name %s, then it was taken at %s', (originalName, expected) => {
  expect(takenAt({ originalName })).toEqual(
    expected === undefined ? {} : { takenAt: expected, takenAtSource: 'name' },
  )
})

test('When a source cannot be true, then the next one is used', () => {
  const originalName = 'IMG-20260620-WA0007.jpg'
  const named = { takenAt: '2026-06-20T12:00:00+02:00', takenAtSource: 'name' }
  // More than a day after the upload, or before 1990.
  for (const wrong of ['2098-06-20T18:00:00', '2026-06-21T22:00:01', '1980-01-01T00:00:00', 'nonsense'])
    expect(takenAt({ originalName, takenAt: wrong, takenAtSource: 'exif-local' })).toEqual(named)
  expect(
    takenAt({ originalName, takenAt: '2026-06-21T22:00:00', takenAtSource: 'exif-local' }).takenAtSource,
  ).toBe('exif-local')
})

test('When only the device says when a file last changed, then that is used if it can be true', () => {
  const lastModified = Date.parse('2026-06-20T16:15:00.789Z')
  expect(takenAt({ lastModified })).toEqual({
    takenAt: '2026-06-20T18:15:00+02:00',
    takenAtSource: 'declared',
  })
  for (const wrong of [0, -1, 8.64e15, Number.MAX_SAFE_INTEGER, Date.parse('2026-06-22T00:00:00Z')])
    expect(takenAt({ lastModified: wrong })).toEqual({})
})

test('When nothing says when a file was taken, then it has its place by the time of its upload', () => {
  expect(capture({})).toEqual({ capturedAt: UPLOADED_AT, captureZone: 'Europe/Berlin' })
  expect(toLocalTime(capture({}))).toBe('2026-06-20T22:00:00')
})

test.each([
  ['image/heic', '2026-06-20T17:30:00+02:00', 'exif'],
  ['image/jpeg', '2026-06-20T17:30:00', 'exif-local'],
  ['video/quicktime', '2026-06-20T17:30:00+02:00', 'quicktime'],
  ['video/mp4', '2026-06-20T17:30:00Z', 'container'],
] as const)(
  'When an earlier version of the media worker read of %s that it was taken at %s, then the source is %s',
  (contentType, time, source) => {
    expect(takenAt({ contentType, takenAt: time }).takenAtSource).toBe(source)
  },
)

test.each([undefined, 'UTC', 'Mars/Olympus'])(
  'When the time zone of an event is %s, then it is UTC',
  (zone) => {
    expect(findCapture({ ...sourcesInUtc, takenAt: '2026-06-20T18:00:00' }, zone)).toEqual({
      capturedAt: new Date('2026-06-20T18:00:00Z'),
      captureSource: 'exif-local',
      captureZone: 'UTC',
    })
  },
)
const sourcesInUtc = { originalName: 'a.jpg', contentType: 'image/jpeg', uploadedAt: UPLOADED_AT } as const
