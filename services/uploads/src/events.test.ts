import { expect, test } from '@jest/globals'
import { findClosedError } from './events.ts'

const MINUTE_MS = 60_000
const uploadsCloseAt = '2026-06-20T18:00:00.000Z'
const event = { _id: 'a'.repeat(24), eventFor: 'b'.repeat(24), organisers: [], uploadsCloseAt, revision: 0 }
/** A time some minutes after the closing time. */
const after = (minutes: number): Date => new Date(Date.parse(uploadsCloseAt) + minutes * MINUTE_MS)

test.each([
  ['before the closing time', -1, -1, true],
  ['at the closing time', 0, 0, false],
  ['after it, having been begun before', -1, 59, true],
  ['an hour after it, having been begun before', -1, 60, false],
  ['after it, having been begun after', 1, 2, false],
])('When a file arrives %s, then the event takes it or not', (_, begunAt, now, isOpen) => {
  expect(findClosedError(event, after(begunAt), after(now)) === undefined).toBe(isOpen)
  const open = { ...event, uploads: 'open' as const }
  expect(findClosedError(open, after(begunAt), after(now)) === undefined).toBe(isOpen)
  const closed = { ...event, uploads: 'closed' as const }
  expect(findClosedError(closed, after(begunAt), after(now))?.code).toBe('event_closed')
})
