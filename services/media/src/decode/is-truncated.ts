import { open } from 'node:fs/promises'

// A long fragmented video has some thousand boxes. The limit bounds the time for crafted files.
const MAX_BOXES = 100_000

/**
 * Whether an MP4, QuickTime or HEIF file ends before its media data does, as after an interrupted recording or copy.
 * ffmpeg and libheif decode the first part of it without an error.
 */
export const isTruncated = async (path: string): Promise<boolean> => {
  const file = await open(path)
  try {
    const { size: fileSize } = await file.stat()
    const header = Buffer.alloc(16)
    for (let offset = 0, boxes = 0; offset + 8 <= fileSize && boxes < MAX_BOXES; boxes += 1) {
      await file.read(header, 0, 16, offset)
      const size32 = header.readUInt32BE(0)
      // 1: a 64-bit size follows the name; 0: the box extends to the end of the file.
      const size =
        size32 === 1 ? Number(header.readBigUInt64BE(8)) : size32 === 0 ? fileSize - offset : size32
      if (size < 8) return false
      offset += size
      if (offset > fileSize) return header.toString('latin1', 4, 8) === 'mdat'
    }
    return false
  } finally {
    await file.close()
  }
}
