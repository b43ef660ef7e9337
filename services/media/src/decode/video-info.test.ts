import { expect, test } from '@jest/globals'
import { posterTimeSeconds, probeOutput, readVideoInfo, scaleToFit } from './video-info.ts'

const stream = { index: 0, codec_type: 'video', width: 1920, height: 1080 }
const metadataOf = (changes: object, format = {}) =>
  readVideoInfo(probeOutput.parse({ streams: [{ ...stream, ...changes }], format }))?.metadata

test('When a video is rotated, then width and height are as displayed', () => {
  expect(metadataOf({ side_data_list: [{ rotation: -90 }] })).toEqual({ width: 1080, height: 1920 })
  expect(metadataOf({ tags: { rotate: '270' } })).toEqual({ width: 1080, height: 1920 })
  expect(metadataOf({ side_data_list: [{}, { rotation: 180 }] })).toEqual({ width: 1920, height: 1080 })
})

test('When the pixels of a video are not square, then its width is as displayed', () => {
  expect(metadataOf({ width: 1440, sample_aspect_ratio: '4:3' })).toEqual({ width: 1920, height: 1080 })
  expect(metadataOf({ sample_aspect_ratio: '0:1' })).toEqual({ width: 1920, height: 1080 })
})

test('When a file has only sound or a cover image, then there is no video', () => {
  expect(metadataOf({ disposition: { attached_pic: 1 } })).toBeUndefined()
  expect(metadataOf({ codec_type: 'audio' })).toBeUndefined()
})

test('When the container has no duration, then that of the stream is used', () => {
  expect(metadataOf({ duration: '2.5' }, { duration: 'N/A' })).toMatchObject({ durationSeconds: 2.5 })
  expect(metadataOf({})).not.toHaveProperty('durationSeconds')
})

test.each([
  [
    { width: 4000, height: 3000 },
    { width: 1600, height: 1200 },
  ],
  [
    { width: 3000, height: 4000 },
    { width: 1200, height: 1600 },
  ],
  [
    { width: 320, height: 240 },
    { width: 320, height: 240 },
  ],
  [
    { width: 10_000, height: 2 },
    { width: 1600, height: 1 },
  ],
])('When %j is scaled to fit 1,600 pixels, then it is %j', (size, expected) => {
  expect(scaleToFit(size, 1_600)).toEqual(expected)
})

test.each([
  [undefined, 0],
  [0.4, 0],
  [5, 0.5],
  [600, 1],
])('When a video lasts %s s, then its poster is the frame at %s s', (duration, second) => {
  expect(posterTimeSeconds(duration)).toBe(second)
})
