import { unavailable } from '@confetti/service-kit'
import { expect, test } from '@jest/globals'
import type { Deps } from '../deps.ts'
import { createSending } from './sending.ts'

test('When all slots for calls are used for too long, then tickets, completions and resumed uploads are refused', async () => {
  const refused = unavailable('Many photos are arriving right now.')
  const { requestTickets, complete, resume } = createSending({
    config: {
      TICKET_SECRET: ['a secret that only this test knows'],
      TICKET_LIFE_MS: 1,
      ORPHAN_AGE_MS: 1,
      MAX_CACHED_EVENTS: 1,
    },
    guestLimits: {},
    callSlots: { run: () => Promise.reject(refused) },
  } as unknown as Deps)
  const sender = { limitSubject: { kind: 'guest' as const, id: 'guest' } }
  await expect(requestTickets(sender, { eventId: '', photoCredit: '', files: [] })).rejects.toBe(refused)
  await expect(complete([])).rejects.toBe(refused)
  await expect(resume([])).rejects.toBe(refused)
})
