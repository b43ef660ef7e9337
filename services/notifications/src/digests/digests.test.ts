import { createLogger } from '@confetti/service-kit'
import { expect, test } from '@jest/globals'
import type { Deps } from '../deps.ts'
import { createDigests } from './digests.ts'

test('When the digest of one event fails, then those of the others are prepared, and the task fails', async () => {
  const due = ['failing', 'other'].map((eventId) => ({ eventId, dueAt: new Date() }))
  const finished: string[] = []
  const { send } = createDigests(
    {
      config: { UNSUBSCRIBE_SECRET: ['s'.repeat(32)] },
      digests: {
        leaseDue: () => Promise.resolve(due.shift()),
        finish: ({ eventId }: { eventId: string }) => Promise.resolve(void finished.push(eventId)),
      },
      newUploads: {
        assign: ({ eventId }: { eventId: string }) =>
          eventId === 'failing' ? Promise.reject(new Error('no')) : Promise.resolve(),
        count: () => Promise.resolve({ photos: 0, videos: 0 }),
        hasUnassigned: () => Promise.resolve(false),
      },
      clock: () => new Date(),
      stopping: new AbortController().signal,
      logger: createLogger('test', 'fatal'),
    } as unknown as Deps,
    {} as never,
  )
  await expect(send()).rejects.toThrow('some digests were not prepared')
  expect(finished).toEqual(['other'])
})

test('When the digest of one organiser cannot be made, then the others get theirs, and it is repeated', async () => {
  const due = [{ eventId: 'event', dueAt: new Date() }]
  const sent: string[] = []
  const finished: string[] = []
  const organisers = ['failing', 'other'].map((_id) => ({ _id, email: `${_id}@example.com`, language: 'en' }))
  const { send } = createDigests(
    {
      config: { UNSUBSCRIBE_SECRET: ['s'.repeat(32)], API_URL: 'https://confetti.example' },
      digests: {
        leaseDue: () => Promise.resolve(due.shift()),
        finish: ({ eventId }: { eventId: string }) => Promise.resolve(void finished.push(eventId)),
      },
      newUploads: {
        assign: () => Promise.resolve(),
        count: () => Promise.resolve({ photos: 1, videos: 0 }),
      },
      unsubscriptions: {
        has: (_: string, userId: string) =>
          userId === 'failing' ? Promise.reject(new Error('no')) : Promise.resolve(false),
      },
      mails: { listWaitingDigests: () => Promise.resolve([]) },
      enqueueMail: ({ userId }: { userId: string }) => Promise.resolve(void sent.push(userId)),
      site: { brand: 'Confetti', shellUrl: 'https://confetti.example' },
      clock: () => new Date(),
      stopping: new AbortController().signal,
      logger: createLogger('test', 'fatal'),
    } as unknown as Deps,
    { find: () => Promise.resolve({ event: { _id: 'event' }, organisers } as never) },
  )
  await expect(send()).rejects.toThrow('some digests were not prepared')
  expect([sent, finished]).toEqual([['other'], []])
})
