import { expect, test } from '@jest/globals'
import { accept, isVideoFile, reasonAgainst, sizeText } from './file-choice.ts'

test.each([
  ['photo.jpg', 'image/jpeg'],
  ['IMG_2041.HEIC', ''],
  ['IMG_2041.heif', ''],
  ['without-a-name', 'image/heic'],
  ['clip.MOV', 'application/octet-stream'],
  ['clip.mp4', 'video/mp4'],
  ['photo.JPEG', 'IMAGE/JPEG'],
])('When a file is %s of type "%s", then it fits', (name, type) => {
  expect(reasonAgainst({ name, type, size: 1 })).toBeUndefined()
})

test.each([
  ['notes.txt', 'text/plain'],
  ['a folder', ''],
  ['drawing.svg', 'image/svg+xml'],
  ['jpg', ''],
])('When a file is %s of type "%s", then it says why it does not fit', (name, type) => {
  expect(reasonAgainst({ name, type, size: 1 })).toBe('This kind of file cannot be sent.')
})

test('When a photo is empty, then it says so before it is sent', () => {
  expect(reasonAgainst({ name: 'photo.jpg', type: 'image/jpeg', size: 0 })).toBe('The file is empty.')
})

test('When the picker opens, then it offers the seven types, and what phones know by its extension alone', () => {
  expect(accept.split(',')).toEqual(
    expect.arrayContaining([
      'image/jpeg',
      'image/png',
      'image/gif',
      'image/webp',
      'image/heic',
      'video/mp4',
      'video/quicktime',
      '.heic',
      '.heif',
      '.mov',
    ]),
  )
})

test.each([
  [3_271_557, '3.12 MB'],
  [1_048_576, '1.00 MB'],
  [0, '0.00 MB'],
  [524_288_000, '500.00 MB'],
])('When a file has %i bytes, then its size reads %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text)
})

test('When a video has no type, then its extension tells', () => {
  expect(isVideoFile({ name: 'clip.MOV', type: '' })).toBe(true)
  expect(isVideoFile({ name: 'photo.heic', type: '' })).toBe(false)
})
