import readExif from 'exif-reader'

const OFFSET = /^(?:Z|[+-]\d\d:\d\d)$/
// Clocks that were never set: the first day of QuickTime and of Unix.
const ZERO_DAYS = /^(?:1904-01-01|1970-01-01)T00:00:00/

const isDate = (value: unknown): value is Date => value instanceof Date && !Number.isNaN(value.getTime())

/** When a photo was taken, as its EXIF block says: ISO 8601, with a zone only where the block names one. */
export const takenAtFromExif = (exif: Uint8Array | undefined): string | undefined => {
  if (!exif) return undefined
  try {
    const { Image, Photo } = readExif(Buffer.from(exif))
    const candidates = [
      [Photo?.DateTimeOriginal, Photo?.OffsetTimeOriginal],
      [Photo?.DateTimeDigitized, Photo?.OffsetTimeDigitized],
      [Image?.DateTime, undefined],
    ]
    for (const [date, ownOffset] of candidates) {
      // '0000:00:00 00:00:00' is how cameras say that they do not know.
      if (!isDate(date) || date.getUTCFullYear() < 1900) continue
      const offset = String(ownOffset ?? Photo?.OffsetTime ?? '')
        .replaceAll('\0', '')
        .trim()
      return date.toISOString().slice(0, 19) + (OFFSET.test(offset) ? offset : '')
    }
  } catch {
    // A block that cannot be read says nothing.
  }
  return undefined
}

/** When a video was taken, as the tags of its container say: ISO 8601 with the camera's zone, otherwise in UTC. */
export const takenAtFromTags = (tags: Readonly<Record<string, string>>): string | undefined => {
  // '2022-02-16T12:55:41+0100' from a phone; '2012-03-31T19:46:48.000000Z' from the container's own clock.
  for (const text of [tags['com.apple.quicktime.creationdate'], tags.creation_time]) {
    const [, time, zone] =
      /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/.exec(text ?? '') ?? []
    if (!time || ZERO_DAYS.test(time) || Number.isNaN(Date.parse(time))) continue
    return time + (zone ?? '').replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
  }
  return undefined
}
