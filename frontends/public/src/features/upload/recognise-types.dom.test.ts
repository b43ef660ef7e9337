import { expect, jest, test } from '@jest/globals'
import { loadCatalogues } from '@confetti/i18n'
import { guestCatalogues } from '../../texts.ts'
import { detectType, examineFile, examineFiles } from './recognise-types.ts'

await loadCatalogues(guestCatalogues)

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
  const { file } = await examineFile(createFile('photo.jfif', '', jpeg))
  const { name, type, size, lastModified } = file
  expect({ name, type, size, lastModified }).toEqual({
    ...{ name: 'photo.jfif', type: 'image/jpeg', size: 5, lastModified: 7 },
  })
})

const unreadable = (): Promise<ArrayBuffer> => Promise.reject(new Error('Unreadable.'))

test.each([
  ['has a supported ending', createFile('clip.mp4', '', jpeg)],
  ['has an unknown ending and cannot be read', createFile('photo.jfif', '', unreadable)],
  ['has a supported ending and cannot be read', createFile('photo.jpg', 'image/jpeg', unreadable)],
  ['is empty', createFile('photo.jpg', 'image/jpeg', () => Promise.resolve(new ArrayBuffer(0)))],
])('When a file %s, then it stays as it is', async (_name, file) => {
  const examined = await examineFile(file)
  expect(examined.file).toBe(file)
  expect(examined.error).toBeUndefined()
})

const withHead = (head: string) => (): Promise<ArrayBuffer> => Promise.resolve(toBytes(head).slice().buffer)

test.each([
  ['DNG', 'II*\0\x08\0\0\0', 'RAW and TIFF photos'],
  ['DNG of big-endian bytes', 'MM\0*\0\0\0\x08', 'RAW and TIFF photos'],
  ['RW2', 'IIU\0\x18\0\0\0', 'RAW and TIFF photos'],
  ['ORF', 'IIRO\x08\0\0\0', 'RAW and TIFF photos'],
  ['RAF', 'FUJIFILMCCD-RAW ', 'RAW and TIFF photos'],
  ['CR3', isoMedia('crx '), 'RAW and TIFF photos'],
  ['AVIF', isoMedia('avif'), 'AVIF photos'],
  ['a sequence of AVIF', isoMedia('avis'), 'AVIF photos'],
  ['Matroska', '\x1aE\xdf\xa3\x93B\x82\x88matroska', 'This video format'],
  ['AVI', 'RIFF\0\0\0\0AVI LIST', 'This video format'],
  ['a PDF', '%PDF-1.7\n%\xe2\xe3', 'This file type'],
])('When a file starts as %s, then it is refused, whatever its name says', async (_name, head, text) => {
  for (const [name, type] of [
    ['1000000042', ''],
    ['photo.jpg', 'image/jpeg'],
  ] as const) {
    const { error } = await examineFile(createFile(name, type, withHead(head)))
    expect(error?.message.startsWith(text)).toBe(true)
  }
})

test('When the first bytes of a file do not come in time, then it stays as it is', async () => {
  jest.useFakeTimers()
  try {
    const file = createFile('photo.jfif', '', () => new Promise(() => undefined))
    const examined = examineFile(file)
    await jest.advanceTimersByTimeAsync(5_000)
    expect(await examined).toEqual({ file })
  } finally {
    jest.useRealTimers()
  }
})

test('When hundreds of files are chosen, then a few are read at a time, and their order is kept', async () => {
  let reading = 0
  let mostReading = 0
  const read = async (): Promise<ArrayBuffer> => {
    reading += 1
    mostReading = Math.max(mostReading, reading)
    await Promise.resolve()
    reading -= 1
    return jpeg()
  }
  const files = Array.from({ length: 300 }, (_, number) => createFile(`${number}`, '', read))
  const examined = await examineFiles(files)
  expect(examined.map(({ file }) => `${file.name} ${file.type}`)).toEqual(
    files.map(({ name }) => `${name} image/jpeg`),
  )
  expect(mostReading).toBe(8)
})
