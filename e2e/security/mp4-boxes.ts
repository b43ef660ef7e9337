/** Creates a box (ISO/IEC 14496-12) of an MP4, QuickTime or HEIF file. */
export const box = (type: string, ...content: (Buffer | string)[]): Buffer<ArrayBuffer> => {
  const payload = Buffer.concat(
    content.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  )
  const header = Buffer.alloc(8)
  header.writeUInt32BE(payload.length + 8)
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, payload])
}

export const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** Creates `depth` boxes of the same type, each inside the previous one. */
export const nestedBoxes = (type: string, depth: number, innermost = Buffer.of()): Buffer<ArrayBuffer> => {
  const headers = Buffer.alloc(depth * 8)
  for (let n = 0; n < depth; n += 1) {
    headers.writeUInt32BE((depth - n) * 8 + innermost.length, n * 8)
    headers.write(type, n * 8 + 4, 'latin1')
  }
  return Buffer.concat([headers, innermost])
}

const containerTypes = ['moov', 'trak', 'mdia', 'minf', 'dinf']

/**
 * Replaces all boxes of a type. Chunk offsets are not adjusted, so media data that moves because of a change in length
 * can no longer be read.
 */
export const replaceBoxes = (
  file: Buffer,
  type: string,
  replace: (content: Buffer) => Buffer,
): Buffer<ArrayBuffer> => {
  const boxes: Buffer[] = []
  for (let at = 0; at + 8 <= file.length;) {
    const size = Math.max(8, file.readUInt32BE(at))
    const name = file.toString('latin1', at + 4, at + 8)
    const content = file.subarray(at + 8, at + size)
    if (name === type) boxes.push(replace(content))
    else if (containerTypes.includes(name)) boxes.push(box(name, replaceBoxes(content, type, replace)))
    else boxes.push(file.subarray(at, at + size))
    at += size
  }
  return Buffer.concat(boxes)
}
