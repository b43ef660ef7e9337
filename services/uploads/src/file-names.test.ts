import { expect, test } from '@jest/globals'
import { toOriginalName, toSafeFileName } from './file-names.ts'

test.each([
  ['IMG_2041.HEIC', 'IMG_2041.HEIC'],
  ['C:\\Users\\me\\beach.jpg', 'beach.jpg'],
  ['../../etc/passwd', 'passwd'],
  ['Zoe\u0308.jpg', 'Zoë.jpg'],
  ['a\u0000b\u001f.jpg', 'ab.jpg'],
  ['', 'unnamed'],
  ['\ud800.jpg', '\ufffd.jpg'],
])('When a file is sent as %j, then it is called %j', (sent, name) => {
  expect(toOriginalName(sent)).toBe(name)
})

test('When a name is very long, then it keeps its extension and has at most 255 bytes', () => {
  // Character by character a million would take hours.
  for (const characters of [300, 1_000_000]) {
    const name = toOriginalName(`${'ü'.repeat(characters)}.mov`)
    expect(name).toBe(`${'ü'.repeat(125)}.mov`)
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
  }
})

test.each([
  ['IMG_2041.HEIC', 'image/heic', 'IMG_2041.HEIC'],
  ['photo.png', 'image/jpeg', 'photo.png.jpg'],
  ['photo', 'image/webp', 'photo.webp'],
  ['a<b>:"c|?*.jpg', 'image/jpeg', 'abc.jpg'],
  ['gpj.\u202eexe.jpg', 'image/jpeg', 'gpj.exe.jpg'],
  ['CON.jpg', 'image/jpeg', '_CON.jpg'],
  ['nul.tar.png', 'image/png', '_nul.tar.png'],
  ['...jpg', 'image/jpeg', 'jpg.jpg'],
  ['party. .jpg', 'image/jpeg', 'party.jpg'],
  ['\u200b.jpg', 'image/jpeg', 'jpg.jpg'],
  ['clip.MOV', 'video/quicktime', 'clip.MOV'],
  ['VID_0001.3gp', 'video/mp4', 'VID_0001.3gp.mp4'],
] as const)('When %j of type %s is put into a zip, then it is called %j', (name, type, expected) => {
  expect(toSafeFileName(name, type)).toBe(expected)
})

test('When a suffix distinguishes two files, then it precedes the extension', () => {
  expect(toSafeFileName('image.jpg', 'image/jpeg', 'k3f9q2')).toBe('image-k3f9q2.jpg')
})

test('When a safe name is very long, then it has at most 255 bytes with suffix and extension', () => {
  const name = toSafeFileName(`${'x'.repeat(300)}.jpg`, 'image/jpeg', 'k3f9q2')
  expect(Buffer.byteLength(name)).toBe(255)
  expect(name).toMatch(/x-k3f9q2\.jpg$/)
})
