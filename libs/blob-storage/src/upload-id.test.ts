import { expect, test } from '@jest/globals'
import { mayBelongTo, newUploadId } from './upload-id.ts'

const event = 'a'.repeat(24)
const now = new Date('2026-06-12T20:00:00Z')

test('When ids are made for an event, then they are distinct, start with the time, and are recognised', () => {
  const ids = Array.from({ length: 1_000 }, () => newUploadId(event, now))
  expect(new Set(ids).size).toBe(1_000)
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{24}$/)
    expect(Number.parseInt(id.slice(0, 8), 16) * 1_000).toBe(now.getTime())
    expect(mayBelongTo(event, id)).toBe(true)
    expect(mayBelongTo('b'.repeat(24), id)).toBe(false)
  }
})

test('When ids are made one after the other for an event, then they are in this order', () => {
  const ids = Array.from({ length: 3_000 }, (_, index) => newUploadId(event, new Date(now.getTime() + index)))
  expect(ids.toSorted()).toEqual(ids)
})
