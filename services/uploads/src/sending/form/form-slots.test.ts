import { MB } from '@confetti/contracts'
import { expect, test } from '@jest/globals'
import { createFormSlots } from './form-slots.ts'

test('When as many forms are read as there is memory for, then the next one waits until one of them ends', async () => {
  const slots = createFormSlots(MB, 60_000)
  const { release } = await slots.acquire()
  expect(slots.usedBytes()).toBeGreaterThan(MB / 2)
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

test('When a form has waited too long, then it is refused, and takes no place later', async () => {
  const slots = createFormSlots(MB, 1)
  const { release } = await slots.acquire()
  await expect(slots.acquire()).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 2 })
  release()
  const again = await slots.acquire()
  again.release()
  expect(slots.usedBytes()).toBe(0)
})
