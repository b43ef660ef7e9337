import readExif from 'exif-reader'

const OFFSET = /^(?:Z|[+-]\d\d:\d\d)$/
// The epochs of QuickTime and Unix: the camera's clock was not set.
const EPOCHS = /^(?:1904-01-01|1970-01-01)T00:00:00/

const isDate = (value: unknown): value is Date => value instanceof Date && !Number.isNaN(value.getTime())

/** When a photo was taken, by its EXIF block: ISO 8601, with a zone only if the block has one. */
export const takenAtFromExif = (exif: Uint8Array | undefined): string | undefined => {
  if (!exif) return undefined
  try {
    const { Image, Photo } = readExif(Buffer.from(exif))
    const candidates = [
      [Photo?.DateTimeOriginal, Photo?.OffsetTimeOriginal],
      [Photo?.DateTimeDigitized, Photo?.OffsetTimeDigitized],
      [Image?.DateTime, undefined],
    ]
    for (const [date, dateOffset] of candidates) {
      // Cameras write '0000:00:00 00:00:00' if their clock was not set.
      if (!isDate(date) || date.getUTCFullYear() < 1900) continue
      const offset = String(dateOffset ?? Photo?.OffsetTime ?? '')
        .replaceAll('\0', '')
        .trim()
      return date.toISOString().slice(0, 19) + (OFFSET.test(offset) ? offset : '')
    }
  } catch {
    // The block is invalid: the time is unknown.
  }
  return undefined
}

/** When a video was taken, by the tags of its container: ISO 8601 with the camera's zone, otherwise in UTC. */
export const takenAtFromTags = (tags: Readonly<Record<string, string>>): string | undefined => {
  // Phones write '2022-02-16T12:55:41+0100', containers '2012-03-31T19:46:48.000000Z'.
  for (const text of [tags['com.apple.quicktime.creationdate'], tags.creation_time]) {
    const [, time, zone] =
      /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/.exec(text ?? '') ?? []
    if (!time || EPOCHS.test(time) || Number.isNaN(Date.parse(time))) continue
    return time + (zone ?? '').replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
  }
  return undefined
}
