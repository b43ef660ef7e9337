import { expect, test } from '@jest/globals'
import { getEntryTime } from './entry-time.ts'

const uploadedAt = new Date('2026-05-02T09:00:00.400Z')

test.each([
  ['2026-05-01T18:30:00+02:00', { local: '2026-05-01T18:30:00', unixSeconds: 1_777_653_000 }],
  ['2026-05-01T16:30:00Z', { local: '2026-05-01T16:30:00', unixSeconds: 1_777_653_000 }],
  ['2026-05-01T18:30:00', { local: '2026-05-01T18:30:00' }],
  ['2026-13-01T18:30:00', { local: '2026-05-02T09:00:00', unixSeconds: 1_777_712_400 }],
  [undefined, { local: '2026-05-02T09:00:00', unixSeconds: 1_777_712_400 }],
])('A file that was taken at %s and uploaded later has the time %j', (takenAt, modified) => {
  expect(getEntryTime({ takenAt, uploadedAt }).modified).toEqual(modified)
})
