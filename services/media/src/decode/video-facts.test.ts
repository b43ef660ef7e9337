import { expect, test } from '@jest/globals'
import { posterSecond, probeOutput, sizeInside, videoFacts } from './video-facts.ts'

const stream = { index: 0, codec_type: 'video', width: 1920, height: 1080 }
const measuresOf = (changes: object, format = {}) =>
  videoFacts(probeOutput.parse({ streams: [{ ...stream, ...changes }], format }))?.measures

test('When a video lies on its side, then its width and height are as shown', () => {
  expect(measuresOf({ side_data_list: [{ rotation: -90 }] })).toEqual({ width: 1080, height: 1920 })
  expect(measuresOf({ tags: { rotate: '270' } })).toEqual({ width: 1080, height: 1920 })
  expect(measuresOf({ side_data_list: [{}, { rotation: 180 }] })).toEqual({ width: 1920, height: 1080 })
})

test('When the pixels of a video are not square, then its width is as shown', () => {
  expect(measuresOf({ width: 1440, sample_aspect_ratio: '4:3' })).toEqual({ width: 1920, height: 1080 })
  expect(measuresOf({ sample_aspect_ratio: '0:1' })).toEqual({ width: 1920, height: 1080 })
})

test('When a file has only sound and a cover picture, then it is no video', () => {
  expect(measuresOf({ disposition: { attached_pic: 1 } })).toBeUndefined()
  expect(measuresOf({ codec_type: 'audio' })).toBeUndefined()
})

test('When the container does not know its duration, then the stream may', () => {
  expect(measuresOf({ duration: '2.5' }, { duration: 'N/A' })).toMatchObject({ durationSeconds: 2.5 })
  expect(measuresOf({})).not.toHaveProperty('durationSeconds')
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
])('When %j is shown in 1,600 pixels, then it is %j', (size, expected) => {
  expect(sizeInside(size, 1_600)).toEqual(expected)
})

test.each([
  [undefined, 0],
  [0.4, 0],
  [5, 0.5],
  [600, 1],
])('When a video lasts %s s, then its poster is from second %s', (duration, second) => {
  expect(posterSecond(duration)).toBe(second)
})
