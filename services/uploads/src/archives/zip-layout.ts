import type { ArchivedFile, ArchiveEntry } from './entries.ts'
import {
  directoryHeaderBytes,
  encodeDirectoryHeader,
  encodeEnd,
  encodeLocalHeader,
  endBytes,
  localHeaderBytes,
  type Directory,
} from './zip-format.ts'

/** The lengths of what a page of entries becomes: files with their headers, and its part of the directory. */
export interface PageLengths {
  files: number
  filesBytes: number
  directoryBytes: number
}

/** Bytes of a header, or a range of a file: from `start` up to but without `end`. */
export type ArchiveSegment =
  | { kind: 'bytes'; bytes: Buffer }
  | { kind: 'file'; uploadId: string; file: ArchivedFile; start: number; end: number }

/** A range of an archive in bytes: from `start` up to but without `end`. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * A ZIP archive as a sequence of bytes that is never built. Its list of entries comes in pages, so that a range of a
 * long archive needs only the pages that it touches.
 */
export interface ZipLayout {
  files: number
  /** The length of the archive. */
  bytes: number
  /** Yields what a range of the archive consists of, in order. */
  segmentsOf: (
    range: ByteRange,
    loadPage: (index: number) => Promise<readonly ArchiveEntry[]>,
  ) => AsyncGenerator<ArchiveSegment>
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

/** Measures a page of entries whose first local header is at `offset`. */
export const measurePage = (entries: readonly ArchiveEntry[], offset: number): PageLengths => {
  let filesBytes = 0
  let directoryBytes = 0
  for (const entry of entries) {
    directoryBytes += directoryHeaderBytes(entry, offset + filesBytes)
    filesBytes += localHeaderBytes(entry) + entry.size
  }
  return { files: entries.length, filesBytes, directoryBytes }
}

/** A segment and where it begins in the archive. */
interface PlacedSegment {
  at: number
  segment: ArchiveSegment
}

const lengthOf = (segment: ArchiveSegment): number =>
  segment.kind === 'bytes' ? segment.bytes.length : segment.end - segment.start

const placeFiles = function* (
  entries: readonly ArchiveEntry[],
  offset: number,
  { start, end }: ByteRange,
): Generator<PlacedSegment> {
  let at = offset
  for (const entry of entries) {
    if (at >= end) return
    const headerBytes = localHeaderBytes(entry)
    const next = at + headerBytes + entry.size
    if (next > start) {
      yield { at, segment: { kind: 'bytes', bytes: encodeLocalHeader(entry) } }
      yield {
        at: at + headerBytes,
        segment: {
          kind: 'file',
          uploadId: entry.uploadId,
          file: entry.file ?? 'original',
          start: 0,
          end: entry.size,
        },
      }
    }
    at = next
  }
}

const encodeDirectory = (entries: readonly ArchiveEntry[], offset: number): Buffer => {
  const headers: Buffer[] = []
  let at = offset
  for (const entry of entries) {
    headers.push(encodeDirectoryHeader(entry, at))
    at += localHeaderBytes(entry) + entry.size
  }
  return Buffer.concat(headers)
}

/** What of a segment lies in the range; undefined if nothing does. */
const clip = ({ at, segment }: PlacedSegment, range: ByteRange): ArchiveSegment | undefined => {
  const from = Math.max(0, range.start - at)
  const to = Math.min(lengthOf(segment), range.end - at)
  if (from >= to) return undefined
  return segment.kind === 'bytes'
    ? { kind: 'bytes', bytes: segment.bytes.subarray(from, to) }
    : { ...segment, start: segment.start + from, end: segment.start + to }
}

/** Lays out the archive whose pages of entries have these lengths. */
export const layOutZip = (pages: readonly PageLengths[]): ZipLayout => {
  const directory: Directory = {
    files: sum(pages.map(({ files }) => files)),
    offset: sum(pages.map(({ filesBytes }) => filesBytes)),
    bytes: sum(pages.map(({ directoryBytes }) => directoryBytes)),
  }
  const endOffset = directory.offset + directory.bytes

  const placeAll = async function* (
    range: ByteRange,
    loadPage: (index: number) => Promise<readonly ArchiveEntry[]>,
  ): AsyncGenerator<PlacedSegment> {
    const isInRange = (at: number, bytes: number): boolean => at < range.end && at + bytes > range.start
    const offsets: number[] = []
    let at = 0
    for (const [index, { filesBytes }] of pages.entries()) {
      offsets.push(at)
      if (isInRange(at, filesBytes)) yield* placeFiles(await loadPage(index), at, range)
      at += filesBytes
    }
    for (const [index, { directoryBytes }] of pages.entries()) {
      if (isInRange(at, directoryBytes))
        yield {
          at,
          segment: { kind: 'bytes', bytes: encodeDirectory(await loadPage(index), offsets[index] ?? 0) },
        }
      at += directoryBytes
    }
    yield { at: endOffset, segment: { kind: 'bytes', bytes: encodeEnd(directory) } }
  }

  return {
    files: directory.files,
    bytes: endOffset + endBytes(directory),
    segmentsOf: async function* (range, loadPage) {
      for await (const placed of placeAll(range, loadPage)) {
        const segment = clip(placed, range)
        if (segment) yield segment
      }
    },
  }
}
