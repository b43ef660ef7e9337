import { afterEach, expect, jest, test } from '@jest/globals'
import { batchCalls } from './upload-calls.ts'

const flushPromises = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))

afterEach(() => void jest.useRealTimers())

/** Creates a batched call whose responses the test controls. */
const setup = (maxItems = 100, gatherMs?: number) => {
  const calls: { items: readonly string[]; succeed: () => void; fail: (error: Error) => void }[] = []
  const call = batchCalls(
    (items: readonly string[]) =>
      new Promise<string[]>((resolve, reject) => {
        calls.push({ items, succeed: () => resolve(items.map((item) => item.toUpperCase())), fail: reject })
      }),
    maxItems,
    gatherMs,
  )
  return { call, calls }
}

test('When items are added at the same time, then they share a call, and each gets its own result', async () => {
  const { call, calls } = setup()
  const results = Promise.all([call('a'), call('b'), call('c')])
  await flushPromises()
  expect(calls.map(({ items }) => items)).toEqual([['a', 'b', 'c']])
  calls[0]?.succeed()
  expect(await results).toEqual(['A', 'B', 'C'])
})

test('When items are added while a call is in flight, then they go into the next one', async () => {
  const { call, calls } = setup()
  void call('a')
  await flushPromises()
  const later = [call('b'), call('c')]
  await flushPromises()
  expect(calls).toHaveLength(1)
  calls[0]?.succeed()
  await flushPromises()
  expect(calls[1]?.items).toEqual(['b', 'c'])
  calls[1]?.succeed()
  expect(await Promise.all(later)).toEqual(['B', 'C'])
})

test('When there are more items than a call may have, then they go into several calls', async () => {
  const { call, calls } = setup(2)
  const results = Promise.all([call('a'), call('b'), call('c')])
  await flushPromises()
  calls[0]?.succeed()
  await flushPromises()
  calls[1]?.succeed()
  expect(await results).toEqual(['A', 'B', 'C'])
  expect(calls.map(({ items }) => items.length)).toEqual([2, 1])
})

test('When a call fails, then its items reject, and the next ones are still sent', async () => {
  const { call, calls } = setup()
  const failed = call('a').catch((error: unknown) => error)
  await flushPromises()
  const next = call('b')
  calls[0]?.fail(new Error('busy'))
  expect(await failed).toEqual(new Error('busy'))
  await flushPromises()
  calls[1]?.succeed()
  expect(await next).toBe('B')
})

test('When items are gathered for some time, then those of that time share a call', async () => {
  jest.useFakeTimers()
  const { call, calls } = setup(100, 300)
  void call('a')
  await jest.advanceTimersByTimeAsync(299)
  void call('b')
  expect(calls).toEqual([])
  await jest.advanceTimersByTimeAsync(1)
  expect(calls.map(({ items }) => items)).toEqual([['a', 'b']])
})

test('When an item is the last one for now, then it and those before it are not kept waiting for others', async () => {
  jest.useFakeTimers()
  const { call, calls } = setup(100, 300)
  void call('a')
  await jest.advanceTimersByTimeAsync(10)
  void call('b', true)
  void call('c')
  await jest.advanceTimersByTimeAsync(0)
  expect(calls.map(({ items }) => items)).toEqual([['a', 'b', 'c']])
})

test('When a single item is the last one for now, then its call is made at once', async () => {
  jest.useFakeTimers()
  const { call, calls } = setup(100, 300)
  void call('a', true)
  await jest.advanceTimersByTimeAsync(0)
  expect(calls.map(({ items }) => items)).toEqual([['a']])
})

test('When the last item for now comes while a call is in flight, then later ones are gathered as before', async () => {
  jest.useFakeTimers()
  const { call, calls } = setup(100, 300)
  void call('a', true)
  await jest.advanceTimersByTimeAsync(0)
  void call('b', true)
  calls[0]?.succeed()
  await jest.advanceTimersByTimeAsync(0)
  calls[1]?.succeed()
  await jest.advanceTimersByTimeAsync(0)
  void call('c')
  await jest.advanceTimersByTimeAsync(299)
  expect(calls.map(({ items }) => items)).toEqual([['a'], ['b']])
  await jest.advanceTimersByTimeAsync(1)
  expect(calls.map(({ items }) => items)).toEqual([['a'], ['b'], ['c']])
})
