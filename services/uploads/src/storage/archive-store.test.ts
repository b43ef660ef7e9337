import { createMemoryDatabase } from '@confetti/test-kit/memory-database'
import { expect, test } from '@jest/globals'
import { createArchiveStore } from './archive-store.ts'

const eventId = 'e'.repeat(24)
const time = (hour: number) => new Date(Date.UTC(2026, 5, 12, hour))

/** A store with three archives that expire at nine. The pages of the first one that is removed stay, as often as said. */
const openArchives = async (failures: number) => {
  let left = failures
  const connection = createMemoryDatabase().connect((label) => {
    if (label !== 'archivepages deleteMany' || left === 0) return Promise.resolve()
    left -= 1
    return Promise.reject(new Error('not this one'))
  })
  const archives = await createArchiveStore(connection)
  const archive = { eventId, linkKey: 'key', createdAt: time(8), expiresAt: time(9), pages: [] }
  for (const _id of ['first', 'second', 'third']) await archives.save({ _id, ...archive }, [])
  const { signal } = new AbortController()
  return {
    removals: {
      expired: (stopping = signal) => archives.removeExpired(time(10), stopping),
      'of an event': async (stopping = signal) => archives.removeOfEvent(eventId, stopping),
    },
    count: () => connection.collection('archives').countDocuments({}),
  }
}

test.each(['expired', 'of an event'] as const)(
  'When an archive that is %s cannot be removed, then the others are, and the task fails until it is',
  async (which) => {
    const { removals, count } = await openArchives(1)
    await expect(removals[which]()).rejects.toThrow('some archives were not removed')
    expect(await count()).toBe(1)
    await removals[which]()
    expect(await count()).toBe(0)
  },
)

test.each(['expired', 'of an event'] as const)(
  'When the service stops while archives that are %s are removed, then the others stay for the next time',
  async (which) => {
    const { removals, count } = await openArchives(0)
    await removals[which](AbortSignal.abort())
    expect(await count()).toBe(3)
  },
)
