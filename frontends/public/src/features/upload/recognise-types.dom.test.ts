import { expect, test } from '@jest/globals'
import { detectType, recogniseType } from './recognise-types.ts'

const toBytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0))
const isoMedia = (brand: string): string => `\0\0\0\x18ftyp${brand}`

test.each([
  ...['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'].map((brand) => [
    brand,
    isoMedia(brand),
    'image/heic',
  ]),
  ...['3gp4', '3gp5', '3gp6', 'isom', 'iso6', 'mp41', 'mp42', 'avc1', 'M4V ', 'XAVC'].map((brand) => [
    brand,
    isoMedia(brand),
    'video/mp4',
  ]),
  ['qt', isoMedia('qt  '), 'video/quicktime'],
  ['moov', '\0\0\0\x18moov\0\0\0\0', 'video/quicktime'],
  ['JPEG', '\xff\xd8\xff\xe0\0\x10JFIF\0\x01', 'image/jpeg'],
  ['PNG', '\x89PNG\r\n\x1a\n\0\0\0\r', 'image/png'],
  ['GIF', 'GIF89a\x01\0\x01\0\0\0', 'image/gif'],
  ['WebP', 'RIFF\n\0\0\0WEBP', 'image/webp'],
])('When a file starts as %s, then it has the type of that', (_name, head, type) => {
  expect(detectType(toBytes(head))).toBe(type)
})

test.each([
  ...['avif', 'avis', 'M4A ', 'M4B ', 'crx ', '3g2a'].map((brand) => [brand, isoMedia(brand)]),
  ['PDF', '%PDF-1.7\n%\xe2\xe3'],
  ['WAV', 'RIFF\n\0\0\0WAVE'],
  ['TIFF', 'II*\0\x08\0\0\0'],
  ['text', 'ftyp is a word'],
  ['nothing', ''],
])('When a file starts as %s, then it has no supported type', (_name, head) => {
  expect(detectType(toBytes(head))).toBeUndefined()
})

/** A file whose bytes are read by `read`. jsdom cannot read any. */
const createFile = (name: string, type: string, read: () => Promise<ArrayBuffer>): File =>
  Object.assign(new File(['bytes'], name, { type, lastModified: 7 }), {
    slice: () => ({ arrayBuffer: read }),
  })
const jpeg = (): Promise<ArrayBuffer> => Promise.resolve(toBytes('\xff\xd8\xff\xe0').slice().buffer)

test('When a file has an unknown ending, then it keeps its name, size and time, and gets its type', async () => {
  const { name, type, size, lastModified } = await recogniseType(createFile('photo.jfif', '', jpeg))
  expect({ name, type, size, lastModified }).toEqual({
    ...{ name: 'photo.jfif', type: 'image/jpeg', size: 5, lastModified: 7 },
  })
})

test.each([
  ['has a supported ending', createFile('clip.mp4', '', jpeg)],
  ['cannot be read', createFile('photo.jfif', '', () => Promise.reject(new Error('Unreadable.')))],
])('When a file %s, then it stays as it is', async (_name, file) => {
  expect(await recogniseType(file)).toBe(file)
})
