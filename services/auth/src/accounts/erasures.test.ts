import { createLogger } from '@confetti/service-kit'
import { expect, test } from '@jest/globals'
import { Registry } from 'prom-client'
import type { Deps } from '../deps.ts'
import { createErasures } from './erasures.ts'

test('When the erasure of one account cannot be asked for again, then the next one is, and the task fails', async () => {
  const asked: string[] = []
  const { repeat } = createErasures({
    users: {
      listUnerased: () => Promise.resolve(['first', 'second']),
      repeatErasure: (userId: string) =>
        userId === 'first' ? Promise.reject(new Error('no')) : Promise.resolve(asked.push(userId)),
      findOldestErasure: () => Promise.resolve(undefined),
    },
    registry: new Registry(),
    clock: () => new Date(),
    stopping: new AbortController().signal,
    logger: createLogger('test', 'fatal'),
  } as unknown as Deps)
  await expect(repeat()).rejects.toThrow('some erasures were not asked for again')
  expect(asked).toEqual(['second'])
})
