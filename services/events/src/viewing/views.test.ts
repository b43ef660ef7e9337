import { expect, test } from '@jest/globals'
import type { EventUsage, StoredEvent } from '../event.ts'
import { toGuestView } from './views.ts'

const now = new Date('2030-06-01T20:00:00Z')
const anHourAgo = new Date('2030-06-01T19:00:00Z')

const remainingBytes = (
  settings: StoredEvent['settings'],
  usage?: Partial<EventUsage>,
): number | undefined => {
  const event: StoredEvent = {
    _id: '1'.repeat(24),
    name: 'Anna & Ben',
    description: '',
    startDate: '2030-06-01',
    endDate: '2030-06-01',
    organisers: [],
    organiserInvitations: [],
    recentInvitations: [],
    settings,
    uploadsCloseAt: new Date('2030-07-01T00:00:00Z'),
    createdAt: anHourAgo,
    usage: usage && { countedAt: anHourAgo, ...usage },
    revision: 0,
  }
  return toGuestView(event, { EVENT_TIME_ZONE: 'UTC', MAX_FILE_BYTES: 1_000 }, now).limits.remainingBytes
}

test('When an event has been full for an hour, then guests see it, until its limit is raised', () => {
  const usage = { files: 20, bytes: 500 }
  expect(remainingBytes({ maxBytes: 500 }, usage)).toBe(0)
  expect(remainingBytes({ maxFiles: 20 }, usage)).toBe(0)
  expect(remainingBytes({ maxFiles: 20, maxBytes: 900 }, usage)).toBe(0)
  expect(remainingBytes({ maxFiles: 21, maxBytes: 900 }, usage)).toBe(400)
  expect(remainingBytes({ maxFiles: 21 }, usage)).toBeUndefined()
  expect(remainingBytes({}, usage)).toBeUndefined()
})

test('When the usage is not known, then guests see no limit', () => {
  expect(remainingBytes({ maxFiles: 20, maxBytes: 500 })).toBeUndefined()
  // After a deletion.
  expect(remainingBytes({ maxFiles: 20, maxBytes: 500 }, {})).toBeUndefined()
  expect(remainingBytes({ maxFiles: 20, maxBytes: 500 }, { bytes: 500 })).toBeUndefined()
})
