import { expect, test } from '@jest/globals'
import { loadCatalogues } from '@confetti/i18n'
import { getText, guestCatalogues } from '../../texts.ts'
import { accept, formatSize, isVideoFile, validateFile } from './file-validation.ts'

await loadCatalogues(guestCatalogues)

test.each([
  ['photo.jpg', 'image/jpeg'],
  ['IMG_2041.HEIC', ''],
  ['IMG_2041.heif', ''],
  ['without-a-name', 'image/heic'],
  ['clip.MOV', 'application/octet-stream'],
  ['clip.mp4', 'video/mp4'],
  ['photo.JPEG', 'IMAGE/JPEG'],
])('When a file is %s of type "%s", then it is valid', (name, type) => {
  expect(validateFile({ name, type, size: 1 })).toBeUndefined()
})

test.each([
  ['notes.txt', 'text/plain'],
  ['a folder', ''],
  ['drawing.svg', 'image/svg+xml'],
  ['jpg', ''],
])('When a file is %s of type "%s", then it is not supported', (name, type) => {
  expect(validateFile({ name, type, size: 1 })?.message).toBe("This file type isn't supported.")
})

test('When a file is empty, then it is not valid', () => {
  expect(validateFile({ name: 'photo.jpg', type: 'image/jpeg', size: 0 })?.message).toBe('The file is empty.')
})

test('When the picker opens, then it accepts the seven types and their extensions', () => {
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
])('When a file has %i bytes, then its size is formatted as %s', (bytes, text) => {
  expect(formatSize(getText, bytes)).toBe(text)
})

test('When a video has no type, then its extension is used', () => {
  expect(isVideoFile({ name: 'clip.MOV', type: '' })).toBe(true)
  expect(isVideoFile({ name: 'photo.heic', type: '' })).toBe(false)
})
