import { open } from 'node:fs/promises'

// A long fragmented video has some thousand boxes; more is not worth the reading.
const MAX_BOXES = 100_000

/**
 * Whether the media data of an MP4, QuickTime or HEIF file should reach beyond the file's end: a recording or a
 * copy that was cut off, of which ffmpeg and libheif would show the beginning without a word.
 */
export const isCutShort = async (path: string): Promise<boolean> => {
  const file = await open(path)
  try {
    const { size: fileSize } = await file.stat()
    const header = Buffer.alloc(16)
    for (let at = 0, boxes = 0; at + 8 <= fileSize && boxes < MAX_BOXES; boxes += 1) {
      await file.read(header, 0, 16, at)
      const short = header.readUInt32BE(0)
      // 1: a 64-bit size follows the name; 0: the box goes on to the end.
      const size = short === 1 ? Number(header.readBigUInt64BE(8)) : short === 0 ? fileSize - at : short
      if (size < 8) return false
      at += size
      if (at > fileSize) return header.toString('latin1', 4, 8) === 'mdat'
    }
    return false
  } finally {
    await file.close()
  }
}
