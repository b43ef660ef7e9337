import { expect, test } from '@jest/globals'
import { loadCatalogues } from '@confetti/i18n'
import { getText, guestCatalogues } from '../../texts.ts'
import { formatSize, getAccept, isVideoFile, validateFile } from './file-validation.ts'

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
  expect(getAccept(navigator.userAgent).split(',')).toEqual(
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

const userAgents = {
  iPhone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'iPhone with Chrome':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/138.0.7204.119 Mobile/15E148 Safari/604.1',
  Android:
    'Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
  'Android with Firefox': 'Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0',
  computer:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36',
}

test.each<[keyof typeof userAgents, { camera: boolean; hif: boolean; avif: boolean }]>([
  // It makes a JPEG of an AVIF photo, as long as the page does not ask for AVIF.
  ['iPhone', { camera: false, hif: true, avif: false }],
  ['iPhone with Chrome', { camera: false, hif: true, avif: false }],
  ['Android', { camera: true, hif: false, avif: true }],
  ['Android with Firefox', { camera: false, hif: false, avif: true }],
  ['computer', { camera: false, hif: true, avif: true }],
])('When the picker opens on an %s, then it accepts what that device needs', (device, expected) => {
  const accepted = getAccept(userAgents[device]).split(',')
  expect({
    camera: accepted.includes('android/allowCamera'),
    hif: accepted.includes('.hif'),
    avif: accepted.includes('image/*'),
  }).toEqual(expected)
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
