import { createErasedIds } from '@confetti/service-kit'
import { createMemoryDatabase } from '@confetti/test-kit/memory-database'
import { expect, test } from '@jest/globals'
import type { Deps } from '../deps.ts'
import { createOwnLinkStore } from '../storage/own-link-store.ts'
import { createOwnLinks } from './own-links.ts'

test('When an event was erased while a link was created, then nothing of it is stored', async () => {
  const database = createMemoryDatabase().connect()
  const clock = () => new Date()
  const erasedIds = await createErasedIds(database, clock)
  const { create } = createOwnLinks({
    config: { SHELL_URL: 'https://confetti.test' },
    // A replica that has both in its cache.
    events: { get: (_id: string) => Promise.resolve({ _id }) },
    ownLinks: await createOwnLinkStore(database),
    erasedIds,
    clock,
    metrics: { ownLinksChanged: () => undefined },
  } as unknown as Deps)
  await erasedIds.add('erased')
  await expect(create('anna', 'erased')).rejects.toMatchObject({ code: 'event_not_found' })
  expect(await create('anna', 'another')).toMatch(/^https:\/\/confetti.test\/mine#/)
  expect(await database.collection('ownlinks').countDocuments({})).toBe(1)
})
