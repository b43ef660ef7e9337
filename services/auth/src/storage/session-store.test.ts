import { createMemoryDatabase } from '@confetti/test-kit/memory-database'
import { expect, test } from '@jest/globals'
import { createSessionStore } from './session-store.ts'

const LIMIT = 3

test('When an account has signed in more often than it may have sessions, then the oldest have ended', async () => {
  const store = await createSessionStore(createMemoryDatabase().connect())
  const add = (_id: string, day: number, userId = 'user') =>
    store.add(
      {
        _id,
        userId,
        accountRevision: 1,
        currentHash: `hash of ${_id}`,
        salt: 'salt',
        expiresAt: new Date(Date.UTC(2030, 0, day)),
      },
      LIMIT,
    )
  const listStored = async (...ids: string[]) => {
    const sessions = await Promise.all(ids.map((id) => store.find(id)))
    return sessions.flatMap((session) => session?._id ?? [])
  }

  await add('stranger', 1, 'another user')
  for (const [index, id] of ['a', 'b', 'c'].entries()) await add(id, index + 1)
  const a = await store.find('a')
  if (!a) throw new Error('the session has not been stored')
  const refreshedAt = new Date(Date.UTC(2030, 0, 9))
  await store.rotate(a, { currentHash: 'next', salt: 'next', rotatedAt: refreshedAt, expiresAt: refreshedAt })
  await add('d', 5)
  expect(await listStored('stranger', 'a', 'b', 'c', 'd')).toEqual(['stranger', 'a', 'c', 'd'])

  // The clock of this replica is behind.
  await add('e', 1)
  expect(await listStored('stranger', 'a', 'c', 'd', 'e')).toEqual(['stranger', 'a', 'd', 'e'])
})
