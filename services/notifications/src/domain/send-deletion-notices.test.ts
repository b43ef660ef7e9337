import { expect, jest, test } from '@jest/globals'
import type { Logger } from '@confetti/service-kit'
import { makeSendDeletionNotices } from './send-deletion-notices.ts'

const DAY_MS = 24 * 3_600_000

test('When the notice of one event fails, then those of the others are sent', async () => {
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
  const send = makeSendDeletionNotices({
    events: { listDue: () => Promise.resolve(due), setNextNotice: () => Promise.resolve() },
    findRecipients: (eventId) =>
      eventId === 'failing'
        ? Promise.reject(new Error('No answer'))
        : Promise.resolve({
            event: { _id: eventId, organisers: ['organiser'] },
            organisers: [{ _id: 'organiser', email: 'organiser@example.com', language: 'en' }],
          } as never),
    enqueueMail: (mail) => Promise.resolve(void sent.push(mail.eventId)),
    clock: () => now,
    site: { brand: 'Confetti', shellUrl: 'https://confetti.example' },
    logger: { warn } as unknown as Logger,
  })
  await send()
  expect(sent).toEqual(['other'])
  expect(warn).toHaveBeenCalledTimes(1)
})
