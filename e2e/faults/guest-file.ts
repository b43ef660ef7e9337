import { createHash, randomBytes } from 'node:crypto'
import { MB } from '@confetti/contracts'
import { sample, uniquePhoto, type SampleName } from '@confetti/test-kit'

/** A file as a phone has it: the same bytes each time it is sent. */
export interface GuestFile {
  name: string
  size: number
  sha256: string
  /** Its bytes, from the first to the last. */
  chunks: () => Iterable<Buffer> | AsyncIterable<Buffer>
}

export const fileOf = (name: string, chunks: () => Iterable<Buffer>): GuestFile => {
  const hash = createHash('sha256')
  let size = 0
  for (const chunk of chunks()) {
    hash.update(chunk)
    size += chunk.length
  }
  return { name, size, sha256: hash.digest('hex'), chunks }
}

/** A real photo that nobody else sends. */
export const newPhoto = async (sampleName?: SampleName): Promise<GuestFile> => {
  const bytes = await uniquePhoto(sampleName)
  return fileOf(sampleName ?? 'image.jpg', () => [bytes])
}

/** A real clip that nobody else sends, made as long as that by bytes behind its end, where players do not look. */
export const newVideo = async (megabytes: number): Promise<GuestFile> => {
  const clip = await sample('video.mp4')
  const filler = randomBytes(MB)
  return fileOf('video.mp4', function* () {
    yield clip
    for (let n = 0; n < megabytes; n += 1) yield filler
  })
}

/** The same file, sent in such a way that `then` is done the first time when about half of it has left. */
export const atHalf = (file: GuestFile, then: () => Promise<void> | void): GuestFile => {
  let done = false
  const chunks = async function* () {
    let left = file.size / 2
    for await (const chunk of file.chunks()) {
      yield chunk
      left -= chunk.length
      if (left > 0 || done) continue
      done = true
      await then()
    }
  }
  return { ...file, chunks }
}

/** The same file, of which half is sent and the rest waits until it is let go. */
export const stoppedAtHalf = (file: GuestFile) => {
  const atItsHalf = Promise.withResolvers<undefined>()
  const mayGoOn = Promise.withResolvers<undefined>()
  const stopped = atHalf(file, async () => {
    atItsHalf.resolve(undefined)
    await mayGoOn.promise
  })
  return { file: stopped, half: atItsHalf.promise, letGo: () => mayGoOn.resolve(undefined) }
}
