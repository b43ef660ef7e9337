import { createLogger, isUnavailable } from '@confetti/service-kit'
import { expect, test } from '@jest/globals'
import { createOverdue } from './overdue.ts'

test('When another replica replaces lost messages, then nothing is done, and the message is delayed without an attempt', async () => {
  const calls: string[] = []
  const record = (name: string) => () => {
    calls.push(name)
    return Promise.resolve() as Promise<never>
  }
  const uploads = new Proxy({} as Parameters<typeof createOverdue>[0]['uploads'], {
    get: (_, name) => record(String(name)),
  })
  const { replaceLostMessages } = createOverdue({
    uploads,
    processingTimeoutMs: 1,
    renditionTimeoutMs: 1,
    runAlone: () => Promise.resolve(false),
    clock: () => new Date(),
    metrics: { abandoned: () => undefined },
    logger: createLogger('test', 'fatal'),
  })
  const error: unknown = await replaceLostMessages(new Date()).catch((thrown: unknown) => thrown)
  expect(isUnavailable(error)).toBe(true)
  expect(calls).toEqual([])
})
