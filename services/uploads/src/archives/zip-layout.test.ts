import { crc32 } from 'node:zlib'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { ArchiveEntry } from './entries.ts'
import {
  directoryHeaderBytes,
  encodeDirectoryHeader,
  encodeEnd,
  encodeLocalHeader,
  endBytes,
  localHeaderBytes,
} from './zip-format.ts'
import {
  layOutZip,
  measurePage,
  type ArchiveSegment,
  type ByteRange,
  type PageLengths,
} from './zip-layout.ts'

const GIB = 2 ** 30

interface StoredFile {
  entry: ArchiveEntry
  bytes: Buffer
}

const storedFile = fc
  .record({
    name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    bytes: fc.uint8Array({ maxLength: 60 }),
    unixSeconds: fc.option(fc.integer({ min: -10, max: 2 ** 33 }), { nil: undefined }),
  })
  .map(({ name, bytes, unixSeconds }): StoredFile => ({
    bytes: Buffer.from(bytes),
    entry: {
      uploadId: '',
      name,
      size: bytes.length,
      crc32: crc32(Buffer.from(bytes)),
      modified: {
        local: '2026-05-01T18:30:00',
        ...(unixSeconds !== undefined && { unixSeconds }),
      },
    },
  }))

const pagesOf = (entries: readonly ArchiveEntry[], pageEntries: number) => {
  const pages: ArchiveEntry[][] = []
  const lengths: PageLengths[] = []
  let offset = 0
  for (let start = 0; start < entries.length; start += pageEntries) {
    const page = entries.slice(start, start + pageEntries)
    pages.push(page)
    lengths.push(measurePage(page, offset))
    offset += lengths.at(-1)?.filesBytes ?? 0
  }
  return { pages, lengths }
}

/** An archive of `files`, their originals in memory, and what has been read of it. */
const archiveOf = (files: readonly StoredFile[], pageEntries: number) => {
  const originals = new Map(files.map(({ bytes }, index) => [String(index), bytes]))
  const entries = files.map(({ entry }, index) => ({ ...entry, uploadId: String(index) }))
  const { pages, lengths } = pagesOf(entries, pageEntries)
  const layout = layOutZip(lengths)
  const loadedPages: number[] = []
  const read = async (range: ByteRange): Promise<{ bytes: Buffer; segments: ArchiveSegment[] }> => {
    const segments: ArchiveSegment[] = []
    const loadPage = (index: number) => {
      loadedPages.push(index)
      return Promise.resolve(pages[index] ?? [])
    }
    for await (const segment of layout.segmentsOf(range, loadPage)) segments.push(segment)
    const bytes = segments.map((segment) =>
      segment.kind === 'bytes'
        ? segment.bytes
        : (originals.get(segment.uploadId) ?? Buffer.alloc(0)).subarray(segment.start, segment.end),
    )
    return { bytes: Buffer.concat(bytes), segments }
  }
  return { layout, read, loadedPages }
}

test('For any list of files, the archive has the length of its layout, and any range equals that slice of it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(storedFile, { maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
      async (files, pageEntries, [one, other]) => {
        const { layout, read } = archiveOf(files, pageEntries)
        const { bytes } = await read({ start: 0, end: layout.bytes })
        expect(bytes.length).toBe(layout.bytes)
        const start = Math.floor(Math.min(one, other) * layout.bytes)
        const end = Math.floor(Math.max(one, other) * layout.bytes)
        expect((await read({ start, end })).bytes).toEqual(bytes.subarray(start, end))
      },
    ),
  )
})

test('The layout of pages does not depend on how many entries they have', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(storedFile, { maxLength: 12 }), async (files) => {
      const whole = archiveOf(files, 100)
      const paged = archiveOf(files, 3)
      const range = { start: 0, end: whole.layout.bytes }
      expect((await paged.read(range)).bytes).toEqual((await whole.read(range)).bytes)
    }),
  )
})

test('A range near the end loads no page and reads no file before it', async () => {
  const bytes = Buffer.from('x'.repeat(50))
  const files = Array.from({ length: 10_000 }, (_, index): StoredFile => ({
    bytes,
    entry: {
      uploadId: '',
      name: `${index}.jpg`,
      size: bytes.length,
      crc32: crc32(bytes),
      modified: { local: '2026-05-01T18:30:00' },
    },
  }))
  const { layout, read, loadedPages } = archiveOf(files, 500)
  const { segments } = await read({ start: layout.bytes - 100, end: layout.bytes })
  expect(segments.every(({ kind }) => kind === 'bytes')).toBe(true)
  expect(loadedPages).toEqual([19])

  const [firstHeader = 0] = files.map(({ entry }) => localHeaderBytes(entry))
  loadedPages.length = 0
  const middle = await read({ start: 0, end: firstHeader + 10 })
  expect(middle.segments).toEqual([
    { kind: 'bytes', bytes: expect.any(Buffer) },
    { kind: 'file', file: 'original', uploadId: '0', start: 0, end: 10 },
  ])
  expect(loadedPages).toEqual([0])
})

const sizes = [0, 1, 4 * GIB - 2, 4 * GIB - 1, 4 * GIB, 4 * GIB + 1, 9 * GIB]

test('Headers have the lengths that the layout counts with, also around 4 GiB and 65,535 files', () => {
  for (const size of sizes)
    for (const offset of sizes) {
      const entry: ArchiveEntry = {
        uploadId: '',
        name: 'Geschwister Müller/video.mp4',
        size,
        crc32: 1,
        modified: { local: '2026-05-01T18:30:00', unixSeconds: 1_777_653_000 },
      }
      expect(encodeLocalHeader(entry)).toHaveLength(localHeaderBytes(entry))
      expect(encodeDirectoryHeader(entry, offset)).toHaveLength(directoryHeaderBytes(entry, offset))
      for (const files of [0, 65_534, 65_535, 65_536])
        expect(encodeEnd({ files, offset, bytes: size })).toHaveLength(
          endBytes({ files, offset, bytes: size }),
        )
    }
})
