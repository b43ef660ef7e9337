import readExif from 'exif-reader'
import type { MediaMetadata } from '../jobs/job.ts'

/** When a file was taken, as it says itself, and which part of it says so. */
export type FileTime = Required<Pick<MediaMetadata, 'takenAt' | 'takenAtSource'>>

const OFFSET = /^(?:Z|[+-]\d\d:\d\d)$/
// Cameras whose clock was not set write 0000, 1904, 1970 or 1980.
const EARLIEST = Date.parse('1990-01-01T00:00:00Z')
const HOUR_MS = 3_600_000

const isDate = (value: unknown): value is Date => value instanceof Date && !Number.isNaN(value.getTime())

/**
 * Whether a time can be true: after 1990 and at most a day after `now`. What has no zone may be up to 14 hours earlier than
 * in UTC. The uploads service, which knows the time of the upload, checks again.
 */
const isPlausible = (takenAt: string, now: Date): boolean => {
  const hasZone = /(?:Z|[+-]\d\d:\d\d)$/.test(takenAt)
  const time = Date.parse(hasZone ? takenAt : `${takenAt}Z`)
  return time >= EARLIEST && time <= now.getTime() + (hasZone ? 24 : 24 + 14) * HOUR_MS
}

/** When a photo was taken, by its EXIF block: ISO 8601, with a zone only if the block has one. */
export const readExifTime = (exif: Uint8Array | undefined, now = new Date()): FileTime | undefined => {
  if (!exif) return undefined
  try {
    const { Image, Photo } = readExif(Buffer.from(exif))
    const candidates = [
      [Photo?.DateTimeOriginal, Photo?.OffsetTimeOriginal],
      [Photo?.DateTimeDigitized, Photo?.OffsetTimeDigitized],
      [Image?.DateTime, undefined],
    ]
    for (const [date, dateOffset] of candidates) {
      if (!isDate(date)) continue
      const text = String(dateOffset ?? Photo?.OffsetTime ?? '')
        .replaceAll('\0', '')
        .trim()
      const offset = OFFSET.test(text) ? text : ''
      const takenAt = date.toISOString().slice(0, 19) + offset
      if (isPlausible(takenAt, now)) return { takenAt, takenAtSource: offset ? 'exif' : 'exif-local' }
    }
  } catch {
    // The block is invalid: the time is unknown.
  }
  return undefined
}

/** When a video was taken, by the tags of its container: ISO 8601 with the camera's zone, otherwise in UTC. */
export const readTagTime = (
  tags: Readonly<Record<string, string>>,
  now = new Date(),
): FileTime | undefined => {
  // Phones write '2022-02-16T12:55:41+0100', containers '2012-03-31T19:46:48.000000Z'.
  const candidates = [
    ['quicktime', tags['com.apple.quicktime.creationdate']],
    ['container', tags.creation_time],
  ] as const
  for (const [takenAtSource, text] of candidates) {
    const [, time, zone] =
      /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/.exec(text ?? '') ?? []
    if (!time) continue
    const takenAt = time + (zone ?? '').replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
    if (isPlausible(takenAt, now)) return { takenAt, takenAtSource }
  }
  return undefined
}
