import { isUnavailable, unavailable } from '@confetti/service-kit'
import { expect, test } from '@jest/globals'
import type { Deps } from '../deps.ts'
import type { StoredEvent } from '../event.ts'
import { createAccounts } from './accounts.ts'

const organiser = { _id: 'erased', email: 'erased@example.com' }

test('When an event cannot be changed, then an erased account is removed from the others, and an outage is reported as one', async () => {
  const stored = ['failing', 'other'].map((_id) => ({
    _id,
    organisers: [organiser],
    organiserInvitations: [],
  })) as unknown as StoredEvent[]
  const { forget } = createAccounts({
    users: { erase: () => Promise.resolve() },
    events: {
      listByAccount: () => Promise.resolve(stored),
      update: (event: StoredEvent, change: Partial<StoredEvent>) =>
        event._id === 'failing'
          ? Promise.reject(unavailable('no answer'))
          : Promise.resolve(Object.assign(event, change)),
    },
  } as unknown as Deps)
  const error: unknown = await forget(organiser).catch((thrown: unknown) => thrown)
  expect(isUnavailable(error)).toBe(true)
  expect(stored.map(({ organisers }) => organisers)).toEqual([[organiser], []])
})
