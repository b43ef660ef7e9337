import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { UNDO_MS } from '@confetti/contracts'
import { createDeferredDeletions, type DeferredDeletions } from './deferred-deletions.ts'

const remove = jest.fn()
let waiting: ReadonlySet<string>
let deletions: DeferredDeletions<{ _id: string }>
const [one, two] = [{ _id: 'one' }, { _id: 'two' }]

beforeEach(() => {
  jest.useFakeTimers()
  remove.mockClear()
  waiting = new Set()
  deletions = createDeferredDeletions({
    remove,
    onChange: (ids) => {
      waiting = ids
    },
  })
})
afterEach(() => {
  jest.useRealTimers()
})

test('When a deletion is scheduled, then it waits for 30 seconds', () => {
  deletions.schedule(one)
  jest.advanceTimersByTime(UNDO_MS - 1)
  expect([...waiting]).toEqual(['one'])
  expect(remove).not.toHaveBeenCalled()
  jest.advanceTimersByTime(1)
  expect([...waiting]).toEqual([])
  expect(remove.mock.calls).toEqual([[one, { keepalive: false }]])
})

test('When a deletion is undone, then nothing is deleted', () => {
  deletions.schedule(one)
  deletions.undo('one')
  jest.advanceTimersByTime(UNDO_MS)
  deletions.flush()
  expect([...waiting]).toEqual([])
  expect(remove).not.toHaveBeenCalled()
})

test('When the page is left, then all that wait are deleted at once, and once only', () => {
  deletions.schedule(one)
  deletions.schedule(two)
  deletions.schedule(two)
  deletions.flush()
  jest.advanceTimersByTime(UNDO_MS)
  expect(remove.mock.calls).toEqual([
    [one, { keepalive: true }],
    [two, { keepalive: true }],
  ])
})
