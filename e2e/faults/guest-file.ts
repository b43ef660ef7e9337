import { createHash, randomBytes } from 'node:crypto'
import { MB } from '@confetti/contracts'
import { readSample, uniquePhoto, type SampleName } from '@confetti/test-kit'

/** A file that can be sent several times, with the same bytes each time. */
export interface GuestFile {
  name: string
  size: number
  sha256: string
  /** Yields all bytes in order. */
  chunks: () => Iterable<Buffer> | AsyncIterable<Buffer>
}

export const createGuestFile = (name: string, chunks: () => Iterable<Buffer>): GuestFile => {
  const hash = createHash('sha256')
  let size = 0
  for (const chunk of chunks()) {
    hash.update(chunk)
    size += chunk.length
  }
  return { name, size, sha256: hash.digest('hex'), chunks }
}

/** Creates a real photo with unique bytes. */
export const newPhoto = async (sampleName?: SampleName): Promise<GuestFile> => {
  const bytes = await uniquePhoto(sampleName)
  return createGuestFile(sampleName ?? 'image.jpg', () => [bytes])
}

/** Creates a real video with unique bytes: a sample, and that many MB of random bytes after its end. */
export const newVideo = async (megabytes: number): Promise<GuestFile> => {
  const clip = await readSample('video.mp4')
  const filler = randomBytes(MB)
  return createGuestFile('video.mp4', function* () {
    yield clip
    for (let n = 0; n < megabytes; n += 1) yield filler
  })
}

/** All bytes of a file. */
export const bytesOf = async (file: GuestFile): Promise<Buffer<ArrayBuffer>> => {
  const chunks: Buffer[] = []
  for await (const chunk of file.chunks()) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The same file, which runs `action` the first time that about half of it is sent, and waits for it. */
export const runAtHalf = (file: GuestFile, action: () => Promise<void> | void): GuestFile => {
  let done = false
  const chunks = async function* () {
    let remaining = file.size / 2
    for await (const chunk of file.chunks()) {
      yield chunk
      remaining -= chunk.length
      if (remaining > 0 || done) continue
      done = true
      await action()
    }
  }
  return { ...file, chunks }
}

/** The same file, which pauses when half of it is sent until `resume` is called. */
export const pauseAtHalf = (file: GuestFile) => {
  const reachedHalf = Promise.withResolvers<undefined>()
  const resumed = Promise.withResolvers<undefined>()
  const paused = runAtHalf(file, async () => {
    reachedHalf.resolve(undefined)
    await resumed.promise
  })
  return { file: paused, reachedHalf: reachedHalf.promise, resume: () => resumed.resolve(undefined) }
}
