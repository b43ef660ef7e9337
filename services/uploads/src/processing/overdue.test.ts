import { createLogger, isUnavailable } from '@confetti/service-kit'
import { expect, test } from '@jest/globals'
import type { Deps } from '../deps.ts'
import { createOverdue } from './overdue.ts'

test('When another replica replaces lost messages, then nothing is done, and the message is delayed without an attempt', async () => {
  const calls: string[] = []
  const record = (name: string) => () => {
    calls.push(name)
    return Promise.resolve() as Promise<never>
  }
  const uploads = new Proxy(
    {},
    {
      get: (_, name) => record(String(name)),
    },
  )
  const { replaceLostMessages } = createOverdue({
    config: { PROCESSING_TIMEOUT_MS: 1 },
    uploads,
    runAlone: () => Promise.resolve(false),
    clock: () => new Date(),
    metrics: { abandoned: () => undefined },
    logger: createLogger('test', 'fatal'),
  } as unknown as Deps)
  const error: unknown = await replaceLostMessages(new Date()).catch((thrown: unknown) => thrown)
  expect(isUnavailable(error)).toBe(true)
  expect(calls).toEqual([])
})
