import { createErasureAges, throwIfAny, tryEach } from '@confetti/service-kit'
import type { Deps } from '../deps.ts'
import { userHolders } from './user.ts'

// Longer than erasing an account takes.
const TIMEOUT_MS = 4 * 60_000

/** Asks the services that have not confirmed the erasure of an account again, and measures how long each has been waited for. */
export const createErasures = ({ users, registry, stopping, clock, logger }: Deps) => {
  const ages = createErasureAges(
    { registry, clock },
    {
      name: 'auth_erasure_oldest_age_seconds',
      help: 'Age of the oldest erasure of an account that a service has not completed',
      holders: userHolders,
    },
  )
  return {
    confirm: users.confirmErasure,

    /** Several replicas can run it at once. */
    repeat: async (): Promise<void> => {
      await ages.measure(users.findOldestErasure)
      const now = clock()
      const before = new Date(now.getTime() - TIMEOUT_MS)
      const userIds = await users.listUnerased(before)
      if (userIds.length > 0)
        logger.warn({ userIds }, 'erased accounts are not erased everywhere yet, will retry')
      const errors = await tryEach(userIds, (userId) => users.repeatErasure(userId, before, now), {
        stopping,
        onError: (error, userId) =>
          logger.warn({ err: error, userId }, 'the erasure was not asked for again'),
      })
      throwIfAny(errors, 'some erasures were not asked for again')
    },
  }
}
