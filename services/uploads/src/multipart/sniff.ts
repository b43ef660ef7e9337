import { isMediaType, type MediaType } from '@confetti/contracts'
import { fileTypeFromBuffer } from 'file-type'

// What file-type looks at, at most, to tell the types that we take.
const HEAD_BYTES = 4_100

// Names that file-type gives to variants of types that we take.
const variants: Readonly<Record<string, MediaType>> = {
  'image/apng': 'image/png',
  'image/heif': 'image/heic',
  'image/heic-sequence': 'image/heic',
  'image/heif-sequence': 'image/heic',
  'video/x-m4v': 'video/mp4',
}

/** The media type that the first bytes tell; undefined for anything that we do not take. */
export const mediaTypeOf = async (head: Uint8Array): Promise<MediaType | undefined> => {
  const mime = (await fileTypeFromBuffer(head))?.mime ?? ''
  return isMediaType(mime) ? mime : variants[mime]
}

/** The first bytes, and all of them. */
export const peek = async (
  bytes: AsyncIterable<Buffer>,
): Promise<{ head: Buffer; all: AsyncIterable<Buffer> }> => {
  const source = bytes[Symbol.asyncIterator]()
  const first: Buffer[] = []
  for (let read = 0; read < HEAD_BYTES;) {
    const next = await source.next()
    if (next.done) break
    first.push(next.value)
    read += next.value.length
  }
  const all = async function* () {
    yield* first
    for (let next = await source.next(); !next.done; next = await source.next()) yield next.value
  }
  return { head: Buffer.concat(first), all: all() }
}
