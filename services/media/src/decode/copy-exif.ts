import type { CopyMetadata } from '../jobs/job.ts'

// Written here, as libexif writes '?' for each character that ASCII lacks, and tags that nobody asked for. Cameras and
// editors write UTF-8.

const ASCII = 2
const LONG = 4
const HEADER = Buffer.from('II*\0\x08\0\0\0', 'latin1')
const EXIF_POINTER = 0x8769

type Tag = [id: number, value: string | number]

/** Encodes a directory of TIFF that begins at `offset`: its tags in the order of their ids, and behind them their texts. */
const encodeDirectory = (tags: readonly Tag[], offset: number): Buffer => {
  const entries = Buffer.alloc(2 + 12 * tags.length + 4)
  const texts: Buffer[] = []
  let textAt = offset + entries.length
  entries.writeUInt16LE(tags.length, 0)
  for (const [index, [id, value]] of tags.entries()) {
    const at = 2 + 12 * index
    const text = typeof value === 'string' ? Buffer.from(`${value}\0`) : undefined
    entries.writeUInt16LE(id, at)
    entries.writeUInt16LE(text ? ASCII : LONG, at + 2)
    entries.writeUInt32LE(text?.length ?? 1, at + 4)
    if (text && text.length <= 4) text.copy(entries, at + 8)
    else entries.writeUInt32LE(text ? textAt : Number(value), at + 8)
    if (!text || text.length <= 4) continue
    // Each begins at an even offset.
    const padded = Buffer.concat([text, Buffer.alloc(text.length % 2)])
    texts.push(padded)
    textAt += padded.length
  }
  return Buffer.concat([entries, ...texts])
}

const timeTags = (takenAt: string): Tag[] => {
  const [, date = '', time = '', zone = ''] = /^([\d-]{10})T([\d:]{8})(?:\.\d+)?(.*)$/.exec(takenAt) ?? []
  const dateTime: Tag = [0x9003, `${date.replaceAll('-', ':')} ${time}`]
  return zone ? [dateTime, [0x9011, zone === 'Z' ? '+00:00' : zone]] : [dateTime]
}

/** Adds an EXIF block with `Artist`, `DateTimeOriginal` and `OffsetTimeOriginal` to a JPEG that has none. */
export const addExif = (jpeg: Buffer, { artist, takenAt }: CopyMetadata): Buffer => {
  const times = takenAt === undefined ? [] : timeTags(takenAt)
  const encode = (pointer: number): Buffer =>
    encodeDirectory(
      [[0x013b, artist], ...(times.length > 0 ? [[EXIF_POINTER, pointer] as Tag] : [])],
      HEADER.length,
    )
  const exifAt = HEADER.length + encode(0).length
  const block = Buffer.concat([
    Buffer.from('Exif\0\0', 'latin1'),
    HEADER,
    encode(exifAt),
    ...(times.length > 0 ? [encodeDirectory(times, exifAt)] : []),
  ])
  const marker = Buffer.from([0xff, 0xe1, 0, 0])
  marker.writeUInt16BE(block.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), marker, block, jpeg.subarray(2)])
}
