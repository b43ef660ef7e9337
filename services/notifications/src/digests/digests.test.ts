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
      logger: createLogger('test', 'fatal'),
    } as unknown as Deps,
    {} as never,
  )
  await expect(send()).rejects.toThrow('some digests were not prepared')
  expect(finished).toEqual(['other'])
})
