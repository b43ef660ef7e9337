import { expect, test } from '@jest/globals'
import { createSlots } from './slots.ts'

const settled = () => new Promise(setImmediate)

test('When all slots are used, then others wait, and are served in order of arrival', async () => {
  const slots = createSlots(1, 60_000)
  const events: string[] = []
  const ends: (() => void)[] = []
  const serve = (name: string) =>
    slots.run(() => {
      events.push(`${name} begins`)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const served = Promise.all(['first', 'second', 'third'].map(serve))
  await settled()
  expect(events).toEqual(['first begins'])
  expect([slots.used(), slots.waiting()]).toEqual([1, 2])
  for (let count = 0; count < 3; count += 1) {
    ends.shift()?.()
    await settled()
  }
  await served
  expect(events).toEqual(['first begins', 'second begins', 'third begins'])
  expect([slots.used(), slots.waiting()]).toEqual([0, 0])
})

test('When the work in a slot fails, then the slot is free again', async () => {
  const slots = createSlots(1, 60_000)
  await expect(slots.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await slots.run(() => Promise.resolve('served'))).toBe('served')
})

test('When someone has waited too long, then they are refused, and take no slot later', async () => {
  const slots = createSlots(1, 1)
  const release = await slots.acquire()
  await expect(slots.acquire()).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 2 })
  expect(slots.waiting()).toBe(0)
  release()
  expect(slots.used()).toBe(0)
})
