import { MB } from '@confetti/contracts'
import { expect, test } from '@jest/globals'
import { createBytesInFlight } from './bytes-in-flight.ts'

test('When the ceiling is reached, then the next waits until something is given back', async () => {
  const room = createBytesInFlight(100)
  const [first, second] = [room.newPlace(), room.newPlace()]
  await first.take(60)
  expect(second.tryTake(60)).toBe(false)
  let taken = false
  const later = second.take(60).then(() => {
    taken = true
  })
  expect(taken).toBe(false)
  first.giveBack(60)
  await later
  expect(room.held()).toBe(60)
})

test('When several wait, then they are served in the order in which their files began', async () => {
  const room = createBytesInFlight(100)
  const [first, second, third, fourth] = [
    room.newPlace(),
    room.newPlace(),
    room.newPlace(),
    room.newPlace(),
  ] as const
  await first.take(90)
  const order: string[] = []
  const later = [
    fourth.take(20).then(() => order.push('fourth')),
    second.take(80).then(() => order.push('second')),
    third.take(20).then(() => order.push('third')),
  ]
  expect(fourth.tryTake(1)).toBe(false)
  expect(first.tryTake(10)).toBe(true)
  first.giveBack(100)
  await Promise.all(later.slice(1))
  expect(order).toEqual(['second', 'third'])
  second.giveBack(80)
  await Promise.all(later)
  expect(order).toEqual(['second', 'third', 'fourth'])
})

test('When there is no room for a new request in time, then it is told to come again', async () => {
  const room = createBytesInFlight(MB)
  await room.newPlace().take(0.8 * MB)
  await expect(room.admit(1)).rejects.toMatchObject({ status: 503, retryAfterSeconds: 2 })
})

test('When room returns, then new requests begin in their order, as many as it has room for', async () => {
  const room = createBytesInFlight(MB)
  const file = room.newPlace()
  await file.take(MB)
  const begun: number[] = []
  const requests = Array.from({ length: 10 }, (_, number) =>
    room.admit(60_000).then((leave) => {
      begun.push(number)
      return leave
    }),
  )
  file.giveBack(MB)
  await requests[5]
  // Of 128 kB each, till three quarters are held.
  expect(begun).toEqual([...Array(6).keys()])
  expect(room.held()).toBe(0.75 * MB)
  for (const request of requests) (await request)()
  expect(room.held()).toBe(0)
})
