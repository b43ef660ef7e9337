import { createLogger } from '@confetti/service-kit'
import { expect, test } from '@jest/globals'
import type { Deps } from './deps.ts'
import { createErasure } from './erasure.ts'

const parts = ['mails', 'uploads', 'erasedIds'] as const

test.each(parts)('When the sweep of %s fails, then the others run, and the task fails', async (failing) => {
  const run: string[] = []
  const part = (name: string) => (): Promise<number> => {
    run.push(name)
    return name === failing ? Promise.reject(new Error('no')) : Promise.resolve(0)
  }
  const { sweep } = createErasure({
    config: { MAIL_RETENTION_MS: 1 },
    mails: { removeOlderThan: part('mails') },
    newUploads: { removeOlderThan: part('uploads') },
    erasedIds: { removeOld: part('erasedIds') },
    clock: () => new Date(),
    stopping: new AbortController().signal,
    logger: createLogger('test', 'fatal'),
  } as unknown as Deps)
  await expect(sweep()).rejects.toThrow('parts of the sweep failed')
  expect(run).toEqual(parts)
})

test('When the service stops during a sweep, then the rest is left to the next one', async () => {
  const stopping = new AbortController()
  let calls = 0
  const { sweep } = createErasure({
    config: { MAIL_RETENTION_MS: 1 },
    mails: {
      removeOlderThan: (_: Date, limit: number) => {
        calls += 1
        stopping.abort()
        return Promise.resolve(limit)
      },
    },
    newUploads: {},
    erasedIds: {},
    stopping: stopping.signal,
    clock: () => new Date(),
    logger: createLogger('test', 'fatal'),
  } as unknown as Deps)
  await sweep()
  expect(calls).toBe(1)
})
