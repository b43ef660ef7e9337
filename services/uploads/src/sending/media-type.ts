import { mediaTypeRows, mediaTypes, type MediaType } from '@confetti/contracts'
import { fileTypeFromBuffer } from 'file-type'

// The most bytes that file-type reads to detect any of the accepted types.
export const HEAD_BYTES = 4_100

/** Whether a file is HEIF by its first bytes. file-type takes the brands heim, heis, hevm and hevs for MP4. */
const isHeif = (head: Uint8Array): boolean =>
  mediaTypes['image/heic'].head.test(Buffer.from(head.subarray(0, 12)).toString('latin1'))

/** Detects the media type from the first bytes of a file; undefined if it is not an accepted type. */
export const detectMediaType = async (head: Uint8Array): Promise<MediaType | undefined> => {
  if (isHeif(head)) return 'image/heic'
  const { mime = '' } = (await fileTypeFromBuffer(head)) ?? {}
  return mediaTypeRows.find(({ type, otherNames }) => [type, ...otherNames].includes(mime))?.type
}

/** Reads the first bytes of a stream, enough to detect its type, and returns them and the whole stream. */
export const peekHead = async (
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
