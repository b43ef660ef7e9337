import { expect, jest, test } from '@jest/globals'
import type { Deps } from '../deps.ts'
import { createDeletionNotices, daysLeft, firstNoticeAt, nextNoticeAt } from './deletion-notices.ts'

const DAY_MS = 24 * 3_600_000

test('When the notice of one event fails, then those of the others are sent, and the task fails', async () => {
  const now = new Date()
  const due = ['failing', 'other'].map((_id) => ({
    _id,
    name: 'Anna & Ben',
    organisers: ['organiser'],
    deleteAt: new Date(now.getTime() + 3 * DAY_MS),
    noticeDueAt: now,
  }))
  const sent: (string | undefined)[] = []
  const warn = jest.fn()
  const deps = {
    events: { listDue: () => Promise.resolve(due), setNextNotice: () => Promise.resolve() },
    enqueueMail: (mail: { eventId: string }) => Promise.resolve(void sent.push(mail.eventId)),
    clock: () => now,
    site: { brand: 'Confetti', shellUrl: 'https://confetti.example' },
    stopping: new AbortController().signal,
    logger: { warn },
  }
  const send = createDeletionNotices(deps as unknown as Deps, {
    find: (eventId) =>
      eventId === 'failing'
        ? Promise.reject(new Error('No answer'))
        : Promise.resolve({
            event: { _id: eventId, organisers: ['organiser'] },
            organisers: [{ _id: 'organiser', email: 'organiser@example.com', language: 'en' }],
          } as never),
  })
  await expect(send()).rejects.toThrow('some deletion notices were not prepared')
  expect(sent).toEqual(['other'])
  expect(warn).toHaveBeenCalledTimes(1)
})

test('When the mail to one organiser cannot be made, then the others get theirs, and the notice stays due', async () => {
  const now = new Date()
  const sent: string[] = []
  const due = {
    _id: 'event',
    name: 'Anna & Ben',
    deleteAt: new Date(now.getTime() + 3 * DAY_MS),
    noticeDueAt: now,
  }
  const setNextNotice = jest.fn()
  const deps = {
    events: { listDue: () => Promise.resolve([due]), setNextNotice },
    enqueueMail: ({ userId }: { userId: string }) =>
      userId === 'failing' ? Promise.reject(new Error('no')) : Promise.resolve(void sent.push(userId)),
    clock: () => now,
    site: { brand: 'Confetti', shellUrl: 'https://confetti.example' },
    stopping: new AbortController().signal,
    logger: { warn: () => undefined },
  }
  const organisers = ['failing', 'other'].map((_id) => ({ _id, email: `${_id}@example.com`, language: 'en' }))
  const send = createDeletionNotices(deps as unknown as Deps, {
    find: () => Promise.resolve({ event: due, organisers } as never),
  })
  await expect(send()).rejects.toThrow('some deletion notices were not prepared')
  expect(sent).toEqual(['other'])
  expect(setNextNotice).not.toHaveBeenCalled()
})

const deleteAt = new Date('2026-12-15T00:00:00Z')

test('The notices of a deletion are due 14 and 3 days before it', () => {
  expect(firstNoticeAt(deleteAt)).toEqual(new Date('2026-12-01T00:00:00Z'))
  expect(nextNoticeAt(deleteAt, new Date('2026-12-01T00:00:00Z'))).toEqual(new Date('2026-12-12T00:00:00Z'))
  expect(nextNoticeAt(deleteAt, new Date('2026-12-12T00:00:00Z'))).toBeUndefined()
})

test('When less than 14 days are left, then the next notice is the one of 3 days', () => {
  expect(nextNoticeAt(deleteAt, new Date('2026-12-05T00:00:00Z'))).toEqual(new Date('2026-12-12T00:00:00Z'))
})

test('Days are counted as people do', () => {
  expect(daysLeft(deleteAt, new Date('2026-12-01T00:05:00Z'))).toBe(14)
  expect(daysLeft(deleteAt, new Date('2026-12-12T00:00:30Z'))).toBe(3)
  expect(daysLeft(deleteAt, new Date('2026-12-14T23:00:00Z'))).toBe(1)
})
