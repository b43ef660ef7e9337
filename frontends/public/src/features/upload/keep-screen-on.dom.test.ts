import { expect, test } from '@jest/globals'
import { keepScreenOn } from './keep-screen-on.ts'

test('When several requests were pending, then all locks are released at the end', async () => {
  const held = new Set<object>()
  const request = async () => {
    await Promise.resolve()
    const lock = {
      release: () => {
        held.delete(lock)
        return Promise.resolve()
      },
    }
    held.add(lock)
    return lock
  }
  Object.defineProperty(navigator, 'wakeLock', { value: { request } })
  const end = keepScreenOn()
  document.dispatchEvent(new Event('visibilitychange'))
  await new Promise((resolve) => setTimeout(resolve))
  expect(held.size).toBe(2)
  end()
  expect(held.size).toBe(0)
})
