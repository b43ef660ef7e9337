import { setImmediate } from 'node:timers/promises'
import { MB } from '@confetti/contracts'
import { expect, test } from '@jest/globals'
import { createMemoryBudget } from './memory-budget.ts'

test('When the limit is reached, then the next reservation waits until memory is released', async () => {
  const budget = createMemoryBudget(100)
  const [first, second] = [budget.newReservation(), budget.newReservation()]
  await first.reserve(60)
  expect(second.tryReserve(60)).toBe(false)
  let reserved = false
  const later = second.reserve(60).then(() => {
    reserved = true
  })
  await setImmediate()
  expect(reserved).toBe(false)
  first.release(60)
  await later
  expect(budget.usedBytes()).toBe(60)
})

test('When several files wait, then they are served in the order in which they started', async () => {
  const budget = createMemoryBudget(100)
  const [first, second, third, fourth] = [
    budget.newReservation(),
    budget.newReservation(),
    budget.newReservation(),
    budget.newReservation(),
  ] as const
  await first.reserve(90)
  const order: string[] = []
  const later = [
    fourth.reserve(20).then(() => order.push('fourth')),
    second.reserve(80).then(() => order.push('second')),
    third.reserve(20).then(() => order.push('third')),
  ]
  expect(fourth.tryReserve(1)).toBe(false)
  expect(first.tryReserve(10)).toBe(true)
  first.release(100)
  await Promise.all(later.slice(1))
  expect(order).toEqual(['second', 'third'])
  second.release(80)
  await Promise.all(later)
  expect(order).toEqual(['second', 'third', 'fourth'])
})

test('When there is no headroom within the timeout, then a new request gets 503', async () => {
  const budget = createMemoryBudget(MB)
  await budget.newReservation().reserve(0.8 * MB)
  await expect(budget.acquire(1)).rejects.toMatchObject({ status: 503, retryAfterSeconds: 2 })
})

test('When memory is released, then waiting requests are admitted in order while there is headroom', async () => {
  const budget = createMemoryBudget(MB)
  const file = budget.newReservation()
  await file.reserve(MB)
  const admitted: number[] = []
  const requests = Array.from({ length: 10 }, (_, number) =>
    budget.acquire(60_000).then((release) => {
      admitted.push(number)
      return release
    }),
  )
  file.release(MB)
  await requests[5]
  // Of 128 kB each, until three quarters are in use.
  expect(admitted).toEqual([...Array(6).keys()])
  expect(budget.usedBytes()).toBe(0.75 * MB)
  for (const request of requests) (await request)()
  expect(budget.usedBytes()).toBe(0)
})
