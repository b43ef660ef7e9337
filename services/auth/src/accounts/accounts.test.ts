import { createLogger } from '@confetti/service-kit'
import { expect, test } from '@jest/globals'
import type { Deps } from '../deps.ts'
import { createAccounts } from './accounts.ts'

test.each(['revokeAll', 'removeOfUser', 'remove'])(
  'When %s fails for an erased account, then the next one is removed, and the task fails',
  async (failing) => {
    const removed: string[] = []
    const attempt =
      (name: string, work: (userId: string) => unknown = () => undefined) =>
      (userId: string): Promise<unknown> =>
        name === failing && userId === 'first'
          ? Promise.reject(new Error('no'))
          : Promise.resolve(work(userId))
    const { sweepErased } = createAccounts({
      config: { ACCESS_TOKEN_SECONDS: 1 },
      users: {
        listErased: () => Promise.resolve(['first', 'second']),
        remove: attempt('remove', (userId) => removed.push(userId)),
      },
      sessionStore: { revokeAll: attempt('revokeAll') },
      knownAddressStore: { removeOfUser: attempt('removeOfUser') },
      clock: () => new Date(),
      stopping: new AbortController().signal,
      logger: createLogger('test', 'fatal'),
    } as unknown as Deps)
    await expect(sweepErased()).rejects.toThrow('some erased accounts were not removed')
    expect(removed).toEqual(['second'])
  },
)
