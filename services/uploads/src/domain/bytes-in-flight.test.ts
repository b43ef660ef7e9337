import { expect, test } from '@jest/globals'
import { createBytesInFlight } from './bytes-in-flight.ts'

test('When the ceiling is reached, then the next waits until something is given back', async () => {
  const room = createBytesInFlight(100)
  await room.take(60)
  expect(room.tryTake(60)).toBe(false)
  let taken = false
  const later = room.take(60).then(() => {
    taken = true
  })
  expect(taken).toBe(false)
  room.giveBack(60)
  await later
  expect(room.held()).toBe(60)
})

test('When several wait, then they are served in their order', async () => {
  const room = createBytesInFlight(100)
  await room.take(100)
  const order: string[] = []
  const large = room.take(80).then(() => order.push('large'))
  const small = room.take(10).then(() => order.push('small'))
  expect(room.tryTake(1)).toBe(false)
  room.giveBack(100)
  await Promise.all([large, small])
  expect(order).toEqual(['large', 'small'])
})

test('When a piece is larger than the ceiling, then it goes alone rather than never', async () => {
  const room = createBytesInFlight(10)
  await room.take(50)
  expect(room.tryTake(1)).toBe(false)
  room.giveBack(50)
  expect(room.tryTake(1)).toBe(true)
})

test('When there is no room for a new request in time, then it is told to come again', async () => {
  const room = createBytesInFlight(100)
  await room.take(80)
  await expect(room.admit(1)).rejects.toMatchObject({ status: 503, retryAfterSeconds: 2 })
})

test('When room returns, then a new request begins', async () => {
  const room = createBytesInFlight(100)
  await room.take(80)
  const admitted = room.admit(60_000)
  room.giveBack(80)
  await admitted
})
