import { createMemoryDatabase } from '@confetti/test-kit/memory-database'
import { expect, test } from '@jest/globals'
import type { Deps } from '../deps.ts'
import { createOwnLinkStore } from '../storage/own-link-store.ts'
import { createOwnLinks } from './own-links.ts'

test('When an event is erased while a guest makes a link, then the link is refused, and none is left', async () => {
  const eventId = 'e'.repeat(24)
  const store = await createOwnLinkStore(createMemoryDatabase().connect())
  const { create } = createOwnLinks({
    config: { SHELL_URL: 'https://photos.confetti.test' },
    // A replica may have the event in its cache for a moment.
    events: { get: () => Promise.resolve({ _id: eventId }) },
    erasedIds: { has: () => Promise.resolve(true) },
    ownLinks: store,
    clock: () => new Date(),
    metrics: { ownLinksChanged: () => undefined },
  } as unknown as Deps)
  await expect(create('guest', eventId)).rejects.toThrow('Event not found.')
  expect(await store.remove('guest', eventId)).toBe(0)
})
