import { expect, test } from '@jest/globals'
import { readExifTime, readTagTime } from './taken-at.ts'

const DATE_TIME = 0x0132
const EXIF_IFD = 0x8769
const DATE_TIME_ORIGINAL = 0x9003
const OFFSET_TIME = 0x9010
const OFFSET_TIME_ORIGINAL = 0x9011

/** An EXIF block with these tags; `photo` is the Exif IFD. */
const exifBlock = (image: Record<number, string>, photo: Record<number, string> = {}): Buffer => {
  const block = Buffer.alloc(1_024)
  block.write('Exif\0\0II*\0', 'latin1')
  block.writeUInt32LE(8, 10)
  let texts = 512
  const writeTags = (at: number, tags: Record<number, string>, more: [number, number][] = []): void => {
    const entries = Object.entries(tags)
    block.writeUInt16LE(entries.length + more.length, 6 + at)
    let entry = 6 + at + 2
    for (const [tag, text] of entries) {
      block.writeUInt16LE(Number(tag), entry)
      block.writeUInt16LE(2, entry + 2)
      block.writeUInt32LE(text.length + 1, entry + 4)
      block.writeUInt32LE(texts, entry + 8)
      block.write(`${text}\0`, 6 + texts, 'latin1')
      texts += text.length + 1
      entry += 12
    }
    for (const [tag, value] of more) {
      block.writeUInt16LE(tag, entry)
      block.writeUInt16LE(4, entry + 2)
      block.writeUInt32LE(1, entry + 4)
      block.writeUInt32LE(value, entry + 8)
      entry += 12
    }
  }
  writeTags(8, image, [[EXIF_IFD, 256]])
  writeTags(256, photo)
  return block
}

test('When a photo has a time but no zone, then the result has no zone', () => {
  const exif = exifBlock({}, { [DATE_TIME_ORIGINAL]: '2008:10:22 16:28:39' })
  expect(readExifTime(exif)).toEqual({ takenAt: '2008-10-22T16:28:39', takenAtSource: 'exif-local' })
})

test('When a photo has a zone, then the result has it', () => {
  const exif = exifBlock(
    { [DATE_TIME]: '2023:01:01 00:00:00' },
    { [DATE_TIME_ORIGINAL]: '2022:02:16 12:55:41', [OFFSET_TIME_ORIGINAL]: '+01:00' },
  )
  expect(readExifTime(exif)).toEqual({ takenAt: '2022-02-16T12:55:41+01:00', takenAtSource: 'exif' })
})

test('When a photo has only the time of its last change, then that is used', () => {
  const exif = exifBlock({ [DATE_TIME]: '2022:02:16 12:55:41' }, { [OFFSET_TIME]: '-03:30' })
  expect(readExifTime(exif)?.takenAt).toBe('2022-02-16T12:55:41-03:30')
})

test.each([
  ['a time of zeros', exifBlock({}, { [DATE_TIME_ORIGINAL]: '0000:00:00 00:00:00' })],
  ['a time before there were such cameras', exifBlock({}, { [DATE_TIME_ORIGINAL]: '1980:01:01 00:00:00' })],
  ['a time far ahead', exifBlock({}, { [DATE_TIME_ORIGINAL]: '2098:06:20 18:00:00' })],
  ['an invalid time', exifBlock({}, { [DATE_TIME_ORIGINAL]: 'yesterday evening..' })],
  ['a truncated EXIF block', exifBlock({ [DATE_TIME]: '2022:02:16 12:55:41' }).subarray(0, 20)],
  ['bytes that are no EXIF', Buffer.from('<script>alert(1)</script>')],
  ['an empty EXIF block', Buffer.alloc(0)],
])('When a photo has %s, then the time is unknown', (_, exif) => {
  expect(readExifTime(exif)).toBeUndefined()
})

test('When the zone is invalid, then the result has no zone', () => {
  const exif = exifBlock(
    {},
    { [DATE_TIME_ORIGINAL]: '2022:02:16 12:55:41', [OFFSET_TIME_ORIGINAL]: '   :  ' },
  )
  expect(readExifTime(exif)).toEqual({ takenAt: '2022-02-16T12:55:41', takenAtSource: 'exif-local' })
})

test('When the clock of the camera was wrong, then the time of the last change is used', () => {
  const exif = exifBlock(
    { [DATE_TIME]: '2022:02:16 12:55:41' },
    { [DATE_TIME_ORIGINAL]: '2098:06:20 18:00:00' },
  )
  expect(readExifTime(exif)).toEqual({ takenAt: '2022-02-16T12:55:41', takenAtSource: 'exif-local' })
})

test.each([
  ['2026-06-21T18:00:00', true],
  ['2026-06-21T18:00:01', false],
])('When it is 4:00 on June 20 in UTC, then %s without a zone is plausible: %s', (takenAt, isPlausible) => {
  const exif = exifBlock({}, { [DATE_TIME_ORIGINAL]: takenAt.replaceAll('-', ':').replace('T', ' ') })
  expect(readExifTime(exif, new Date('2026-06-20T04:00:00Z')) !== undefined).toBe(isPlausible)
})

test.each([
  [
    { creation_time: '2012-03-31T19:46:48.000000Z' },
    { takenAt: '2012-03-31T19:46:48Z', takenAtSource: 'container' },
  ],
  [
    {
      creation_time: '2022-02-16T11:55:41.000000Z',
      'com.apple.quicktime.creationdate': '2022-02-16T12:55:41+0100',
    },
    { takenAt: '2022-02-16T12:55:41+01:00', takenAtSource: 'quicktime' },
  ],
  [
    {
      creation_time: '2022-02-16T11:55:41.000000Z',
      'com.apple.quicktime.creationdate': '2098-02-16T12:55:41+0100',
    },
    { takenAt: '2022-02-16T11:55:41Z', takenAtSource: 'container' },
  ],
  [{ creation_time: '1904-01-01T00:00:00.000000Z' }, undefined],
  [{ creation_time: '1970-01-01T00:00:00.000000Z' }, undefined],
  [{ creation_time: '2022-99-16T11:55:41Z' }, undefined],
  [{ creation_time: 'today' }, undefined],
  [{}, undefined],
])('When a video has the tags %j, then it was taken at %j', (tags, time) => {
  expect(readTagTime(tags)).toEqual(time)
})
