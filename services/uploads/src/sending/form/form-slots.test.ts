import { MB } from '@confetti/contracts'
import { expect, test } from '@jest/globals'
import { createFormSlots } from './form-slots.ts'

test('When as many forms are read as there is memory for, then the next one waits until one of them ends', async () => {
  const slots = createFormSlots(MB, 60_000)
  const { buffer, release } = await slots.acquire()
  expect(slots.usedBytes()).toBeGreaterThan(buffer.length)
  expect(slots.usedBytes()).toBeLessThan(MB)
  let isAdmitted = false
  const next = slots.acquire().then((slot) => {
    isAdmitted = true
    return slot
  })
  await new Promise(setImmediate)
  expect(isAdmitted).toBe(false)
  release()
  ;(await next).release()
  expect(slots.usedBytes()).toBe(0)
})
