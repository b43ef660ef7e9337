import {
  isVideo,
  type MediaType,
  type MessageData,
  type TakenAtSource,
  type Upload,
} from '@confetti/contracts'
import { DateTime, IANAZone } from 'luxon'

/** What is known about when an upload was taken. */
export interface CaptureSources {
  originalName: string
  contentType: MediaType
  uploadedAt: Date
  /** When the file last changed on the guest's device, as that says: in milliseconds since 1970. */
  lastModified?: number | undefined
  /** As the media worker has read it from the file: ISO 8601, without a zone if the file has none. */
  takenAt?: string | undefined
  /** Absent where an earlier version of the worker has read it. */
  takenAtSource?: MessageData<'media.processed.v1'>['takenAtSource']
}

/** When an upload was taken, as it is stored. */
export interface Capture {
  /** The time of the upload where the other is unknown, so that all uploads have an order. */
  capturedAt: Date
  /** Absent: it is unknown when the upload was taken. */
  captureSource?: TakenAtSource | undefined
  /** The time zone of the event when this was found out. */
  captureZone: string
}

const DEFAULT_ZONE = 'UTC'
const EARLIEST = Date.parse('1990-01-01T00:00:00Z')
const DAY_MS = 24 * 3_600_000

/**
 * A date, perhaps with a time, in a file's name: `IMG_20260620_181500`, `Screenshot 2026-06-20 at 6.15.00 PM`, and the same
 * in other languages.
 */
const NAME_TIME = new RegExp(
  [
    String.raw`(?<!\d)(?<year>(?:19|20)\d\d)(?<sign>[-_.]?)(?<month>\d\d)\k<sign>(?<day>\d\d)`,
    String.raw`(?:(?: \p{L}+ |[-_ T.]?)(?<time>\d\d?(?<mark>[-_.:])\d\d\k<mark>\d\d|\d{6})(?:\d{3})?(?!\d)(?:\s?(?<half>[AP])M)?|(?!\d))`,
  ].join(''),
  'iu',
)

/** The hour from 0 to 23 of one on a clock of 12 hours. */
const toHour = (hour: number, half: string): number => (hour % 12) + (half === 'P' ? 12 : 0)

/**
 * The time in a file's name; at noon if there is only a date, such as in `IMG-20260620-WA0007`. Pixel phones write the time
 * in UTC, all others that of the clock.
 */
const readNameTime = (name: string, zone: string): DateTime | undefined => {
  const { year, month, day, time = '120000', half } = NAME_TIME.exec(name)?.groups ?? {}
  if (!year) return undefined
  const digits = time.replaceAll(/\D/g, '').padStart(6, '0')
  const clock = Number(digits.slice(0, 2))
  const hour = half ? toHour(clock, half.toUpperCase()) : clock
  if (hour > 23) return undefined
  const [minute, second] = [digits.slice(2, 4), digits.slice(4)]
  const text = `${year}-${month}-${day}T${String(hour).padStart(2, '0')}:${minute}:${second}`
  return DateTime.fromISO(text, { zone: /(?:^|_)PXL_/.test(name) ? 'UTC' : zone })
}

/** What an earlier version of the media worker has read `takenAt` from. */
const inferSource = (takenAt: string, contentType: MediaType): TakenAtSource => {
  if (isVideo(contentType)) return takenAt.endsWith('Z') ? 'container' : 'quicktime'
  return /(?:Z|[+-]\d\d:\d\d)$/.test(takenAt) ? 'exif' : 'exif-local'
}

/**
 * Finds out when an upload was taken, by the most trusted of the sources that can be true: after 1990 and at most a day
 * after the upload. What has no time zone of its own is in that of the event.
 */
export const findCapture = (
  { originalName, contentType, uploadedAt, lastModified, takenAt, takenAtSource }: CaptureSources,
  eventZone: string | undefined,
): Capture => {
  const zone = eventZone && IANAZone.create(eventZone).isValid ? eventZone : DEFAULT_ZONE
  const candidates: [TakenAtSource, DateTime | undefined][] = [
    [
      takenAtSource ?? inferSource(takenAt ?? '', contentType),
      takenAt ? DateTime.fromISO(takenAt, { zone }) : undefined,
    ],
    ['name', readNameTime(originalName, zone)],
    ['declared', lastModified === undefined ? undefined : DateTime.fromMillis(lastModified)],
  ]
  const latest = uploadedAt.getTime() + DAY_MS
  for (const [captureSource, time] of candidates) {
    const captured = time?.isValid ? time.startOf('second').toMillis() : NaN
    if (captured >= EARLIEST && captured <= latest)
      return { capturedAt: new Date(captured), captureSource, captureZone: zone }
  }
  return { capturedAt: uploadedAt, captureZone: zone }
}

/** A time on the clocks of the event: ISO 8601 with their offset. */
const toEventTime = ({ capturedAt, captureZone }: Capture): string => {
  const time = DateTime.fromJSDate(capturedAt, { zone: captureZone }).startOf('second')
  return time.toISO({ suppressMilliseconds: true }) ?? capturedAt.toISOString()
}

/** The fields of the API that say when an upload was taken. */
export const toTakenAt = (capture: Capture): Pick<Upload, 'takenAt' | 'takenAtSource'> =>
  capture.captureSource ? { takenAt: toEventTime(capture), takenAtSource: capture.captureSource } : {}

/** The same time as clocks in the event's time zone showed it: `2026-05-01T18:30:00`. */
export const toLocalTime = (capture: Capture): string => toEventTime(capture).slice(0, 19)
