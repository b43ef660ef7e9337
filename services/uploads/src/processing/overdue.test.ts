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

test.each(['requestProcessing', 'requestRenditions'] as const)(
  'When %s fails for the first uploads, then the others are requested, however many there are, and the task fails',
  async (task) => {
    const uploads = Array.from({ length: 1_200 }, (_, n) => ({ _id: String(n), timesRequested: 0 }))
    const overdue = new Map(uploads.map((upload) => [upload._id, upload]))
    const request = (upload: { _id: string }): Promise<void> => {
      if (Number(upload._id) < 600) return Promise.reject(new Error('no'))
      overdue.delete(upload._id)
      return Promise.resolve()
    }
    const list = (_: Date, limit: number) => Promise.resolve([...overdue.values()].slice(0, limit))
    const tasks = createOverdue({
      config: { PROCESSING_TIMEOUT_MS: 1, MAX_RENDITION_SECONDS: 1 },
      uploads: {
        listRefused: () => Promise.resolve([]),
        listOverdue: list,
        listOverdueRenditions: list,
        requestProcessing: request,
        requestRendition: request,
      },
      stopping: new AbortController().signal,
      clock: () => new Date(),
      logger: createLogger('test', 'fatal'),
    } as unknown as Deps)
    await expect(tasks[task]()).rejects.toThrow('some uploads were not requested again')
    expect(overdue.size).toBe(600)
  },
)
