import { createHash, randomInt } from 'node:crypto'

const TAG_DIGITS = 6
const TIME_DIGITS = 8
const RANDOM_BITS = 30

/** The tag of an event, from which its id cannot be read. */
export const tagOf = (eventId: string): string =>
  createHash('sha256').update(eventId).digest('hex').slice(0, TAG_DIGITS)

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')

/**
 * How the ids of an event's uploads begin, given its tag. The first digit is 8 to f. Ids of earlier versions began with
 * their time, whose first digit is less until 2038, and had the tag behind it.
 */
export const prefixOf = (tag: string): string => hex(Number.parseInt(tag, 16) | 0x800000, TAG_DIGITS)

const isOfEarlierVersion = (uploadId: string): boolean => uploadId < '8'

/**
 * A new id of an upload, 24 hexadecimal digits as those of MongoDB: the prefix of its event (6), the time in seconds (8),
 * and the milliseconds with a random number (10). The names of its blobs begin with it: so blob storage lists those of an
 * event, and those of some minutes of an event, without reading others.
 */
export const newUploadId = (eventId: string, now: Date): string => {
  const time = now.getTime()
  const end = (time % 1_000) * 2 ** RANDOM_BITS + randomInt(2 ** RANDOM_BITS)
  return prefixOf(tagOf(eventId)) + hex(Math.floor(time / 1_000), TIME_DIGITS) + hex(end, 10)
}

/** The time in the id of an upload, to the second, in milliseconds. */
export const readTime = (uploadId: string): number => {
  const start = isOfEarlierVersion(uploadId) ? 0 : TAG_DIGITS
  return Number.parseInt(uploadId.slice(start, start + TIME_DIGITS), 16) * 1_000
}

/** Whether an id may have been made for an event with this tag. One of 8 million other ids looks so, too. */
export const hasTag = (uploadId: string, tag: string): boolean =>
  isOfEarlierVersion(uploadId)
    ? uploadId.slice(TIME_DIGITS, TIME_DIGITS + TAG_DIGITS) === tag
    : uploadId.startsWith(prefixOf(tag))

/** Whether an id may have been made for an event. */
export const mayBelongTo = (eventId: string, uploadId: string): boolean => hasTag(uploadId, tagOf(eventId))

/** Ids with a common prefix, and the times, in milliseconds, between which they are made. */
export interface IdPeriod {
  prefix: string
  startsAt: number
  endsAt: number
}

const periodAt = (before: string, now: number, digits: number): IdPeriod => {
  const lengthMs = 16 ** (TIME_DIGITS - digits) * 1_000
  const number = Math.floor(now / lengthMs)
  return {
    prefix: before + hex(number, digits),
    startsAt: number * lengthMs,
    endsAt: (number + 1) * lengthMs,
  }
}

/** The period of about four minutes in which an id is made for an event now. */
export const currentPeriod = (eventId: string, now: Date): IdPeriod =>
  periodAt(prefixOf(tagOf(eventId)), now.getTime(), 6)

/** The periods of 18 hours, of all events, in which earlier versions have made ids between two times. */
export const earlierPeriods = (from: number, to: number): IdPeriod[] => {
  const periods: IdPeriod[] = []
  for (let time = from; ; time = periods.at(-1)?.endsAt ?? to) {
    if (time > to) return periods
    periods.push(periodAt('', time, 4))
  }
}
