import { createHash, randomInt } from 'node:crypto'

const TIME_DIGITS = 8
const TAG_DIGITS = 6
const RANDOM_BITS = 30

/** The tag that the ids of an event's uploads have. */
export const tagOf = (eventId: string): string =>
  createHash('sha256').update(eventId).digest('hex').slice(0, TAG_DIGITS)

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')

/**
 * A new id of an upload, 24 hexadecimal digits as those of MongoDB: the time in seconds (8), a tag of its event (6), and
 * the milliseconds with a random number (10). So the ids of an event are in the order of their times. By the tag, what was
 * sent for an event and never completed is found without a record of it.
 */
export const newUploadId = (eventId: string, now: Date): string => {
  const time = now.getTime()
  const end = (time % 1_000) * 2 ** RANDOM_BITS + randomInt(2 ** RANDOM_BITS)
  return hex(Math.floor(time / 1_000), TIME_DIGITS) + tagOf(eventId) + hex(end, 10)
}

/** The time in the id of an upload, to the second, in milliseconds. */
export const readTime = (uploadId: string): number =>
  Number.parseInt(uploadId.slice(0, TIME_DIGITS), 16) * 1_000

/** The tag in the id of an upload. */
export const readTag = (uploadId: string): string => uploadId.slice(TIME_DIGITS, TIME_DIGITS + TAG_DIGITS)

/** Whether an id may have been made for an event. One of 17 million other ids looks so, too. */
export const mayBelongTo = (eventId: string, uploadId: string): boolean =>
  readTag(uploadId) === tagOf(eventId)
