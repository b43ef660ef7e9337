import type { EventChange } from '@confetti/contracts'
import { expect, test } from '@jest/globals'
import type { StoredEvent } from '../event.ts'
import { planUpdate } from './update-event.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** An event that ended on 1 June, in Berlin, and what its organiser's changes make of it. */
const startEvent = (keepDays: number, maxKeepDays: number) => {
  const config = { EVENT_TIME_ZONE: 'Europe/Berlin', UPLOAD_GRACE_DAYS: 1, MAX_KEEP_DAYS: maxKeepDays }
  let event: StoredEvent = {
    startDate: '2030-06-01',
    endDate: '2030-06-01',
    settings: { keepDays },
    organisers: [],
    uploadsCloseAt: new Date('2030-06-02T22:00:00Z'),
    deleteAt: new Date(Date.parse('2030-06-01T22:00:00Z') + keepDays * DAY_MS),
  } as never
  return async (settings: NonNullable<EventChange['settings']>, now: Date): Promise<number | undefined> => {
    const planned = await planUpdate(
      event,
      { settings },
      {
        isAdmin: false,
        findOrganiser: () => Promise.reject(new Error('not expected')),
        config: config as never,
        now,
      },
    )
    event = { ...event, ...planned }
    return event.deleteAt?.getTime()
  }
}

test('When an organiser changes the time zone again and again, then the event is deleted nevertheless', async () => {
  const change = startEvent(30, 30)
  const deleteAt = Date.parse('2030-07-01T22:00:00Z')
  let changed: number | undefined
  for (let now = deleteAt - DAY_MS; now < deleteAt + 14 * DAY_MS; now += DAY_MS)
    for (const timeZone of ['Europe/London', 'Pacific/Honolulu', 'Pacific/Auckland'])
      changed = await change({ timeZone }, new Date(now))
  expect(changed).toBe(Date.parse('2030-07-02T10:00:00Z'))
})

test('When an organiser chooses fewer and more days in turn, then the deletion stays where it was', async () => {
  const change = startEvent(30, 30)
  const now = new Date('2030-06-29T12:00:00Z')
  for (const keepDays of [29, 30, 29])
    expect(await change({ keepDays }, now)).toBe(Date.parse('2030-07-01T22:00:00Z'))
})

test('When a change has an event deleted sooner, then it is deleted in three days at the soonest', async () => {
  const change = startEvent(30, 30)
  const now = new Date('2030-06-10T12:00:00Z')
  expect(await change({ keepDays: 10 }, now)).toBe(now.getTime() + 3 * DAY_MS)
})
