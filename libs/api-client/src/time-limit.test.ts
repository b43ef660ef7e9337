import { getEventListeners } from 'node:events'
import { expect, test } from '@jest/globals'
import { untilAborted, wait } from './time-limit.ts'

test('When a wait has ended, then nothing of it is left at its signal', async () => {
  const { signal } = new AbortController()
  const waiting = wait(1, signal)
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  await waiting
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test.each([
  ['succeeds', () => Promise.resolve()],
  ['fails', () => Promise.reject(new Error('failed'))],
])(
  'When work that ends by a signal %s before it, then nothing of it is left at the signal',
  async (_, start) => {
    const { signal } = new AbortController()
    const ending = untilAborted(start(), signal)
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    await ending.catch(() => undefined)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  },
)

test('When the signal aborts, then the wait ends at once', async () => {
  const controller = new AbortController()
  const waiting = wait(1_000_000, controller.signal)
  controller.abort()
  await expect(waiting).resolves.toBeUndefined()
})
