/** A box of an MP4, QuickTime or HEIF file. */
export const box = (type: string, ...content: (Buffer | string)[]): Buffer<ArrayBuffer> => {
  const inside = Buffer.concat(
    content.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  )
  const head = Buffer.alloc(8)
  head.writeUInt32BE(inside.length + 8)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, inside])
}

export const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A box in a box in a box. */
export const nestedBoxes = (type: string, depth: number, innermost = Buffer.of()): Buffer<ArrayBuffer> => {
  const heads = Buffer.alloc(depth * 8)
  for (let n = 0; n < depth; n += 1) {
    heads.writeUInt32BE((depth - n) * 8 + innermost.length, n * 8)
    heads.write(type, n * 8 + 4, 'latin1')
  }
  return Buffer.concat([heads, innermost])
}

const containers = ['moov', 'trak', 'mdia', 'minf', 'dinf']

/** The file with each box of a type replaced. Media that come behind it would be moved, and are lost. */
export const withBoxes = (
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
    else if (containers.includes(name)) boxes.push(box(name, withBoxes(content, type, replace)))
    else boxes.push(file.subarray(at, at + size))
    at += size
  }
  return Buffer.concat(boxes)
}
