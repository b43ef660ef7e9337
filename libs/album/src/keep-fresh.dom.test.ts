import { expect, test } from '@jest/globals'
import { keepFresh } from './keep-fresh.ts'

/** A list whose refreshes fail as long as `isDown`. */
const start = () => {
  const controller = new AbortController()
  const state = { isDown: true, refreshes: 0 }
  const list = keepFresh({
    refresh: () => {
      state.refreshes += 1
      return state.isDown ? Promise.reject(new Error('No answer')) : Promise.resolve()
    },
    getIntervalMs: () => 60_000,
    minIntervalMs: 0,
    maxIntervalMs: 60_000,
    signal: controller.signal,
  })
  return { ...list, state, end: () => controller.abort() }
}
const settle = () => new Promise((resolve) => setTimeout(resolve, 10))

test('When a server that failed answers another request, then the list is refreshed at once', async () => {
  const { wake, recover, state, end } = start()
  await settle()
  wake()
  await settle()
  // A server that fails is not asked sooner because something changes.
  expect(state.refreshes).toBe(1)
  state.isDown = false
  recover()
  await settle()
  expect(state.refreshes).toBe(2)
  recover()
  await settle()
  expect(state.refreshes).toBe(2)
  end()
})
