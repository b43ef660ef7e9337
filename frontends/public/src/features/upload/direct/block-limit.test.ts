import { expect, test } from '@jest/globals'
import { createBlockLimit } from './send-blocks.ts'

const flushPromises = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Creates a limit with a clock, and blocks that the test ends. */
const setup = () => {
  let now = 0
  const limit = createBlockLimit(() => now)
  const inFlight: { succeed: () => void; fail: () => void }[] = []
  const start = (signal = new AbortController().signal): Promise<unknown> =>
    limit
      .run(
        () =>
          new Promise((resolve, reject) => {
            inFlight.push({ succeed: resolve, fail: () => reject(new Error('failed')) })
          }),
        signal,
      )
      .catch((error: unknown) => error)
  const endFirst = async (how: 'succeed' | 'fail', afterMs: number): Promise<void> => {
    now += afterMs
    inFlight.shift()?.[how]()
    await flushPromises()
  }
  return { limit, inFlight, start, endFirst }
}

test('When many blocks wait, then two are sent at first, and up to four when they are fast', async () => {
  const { inFlight, start, endFirst } = setup()
  for (let block = 0; block < 20; block += 1) void start()
  await flushPromises()
  expect(inFlight).toHaveLength(2)
  await endFirst('succeed', 100)
  expect(inFlight).toHaveLength(3)
  await endFirst('succeed', 100)
  await endFirst('succeed', 100)
  await endFirst('succeed', 100)
  expect(inFlight).toHaveLength(4)
})

test('When a block takes neither short nor long, then the limit stays', async () => {
  const { inFlight, start, endFirst } = setup()
  for (let block = 0; block < 20; block += 1) void start()
  await flushPromises()
  await endFirst('succeed', 5_000)
  expect(inFlight).toHaveLength(2)
})

test.each([
  ['takes long', 'succeed', 20_000],
  ['fails', 'fail', 100],
] as const)('When a block %s, then one less is sent, but at least one', async (_, how, afterMs) => {
  const { inFlight, start, endFirst } = setup()
  for (let block = 0; block < 20; block += 1) void start()
  await flushPromises()
  await endFirst(how, afterMs)
  expect(inFlight).toHaveLength(1)
  await endFirst(how, afterMs)
  expect(inFlight).toHaveLength(1)
})

test('When a block that waits is aborted, then it is not sent, and it rejects with the reason', async () => {
  const { limit, inFlight, start, endFirst } = setup()
  void start()
  void start()
  const controller = new AbortController()
  const aborted = start(controller.signal)
  controller.abort(new Error('removed'))
  expect(await aborted).toEqual(new Error('removed'))
  await endFirst('succeed', 100)
  expect(inFlight).toHaveLength(1)
  expect(limit.getLimit()).toBe(3)
})
