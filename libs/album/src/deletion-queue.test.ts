import { expect, jest, test } from '@jest/globals'
import { ApiError } from '@confetti/api-client'
import { createDeletionQueue } from './deletion-queue.ts'

const uploads = Array.from({ length: 10 }, (_, index) => ({
  _id: String(index),
  originalName: `photo-${index}.jpg`,
}))
const errorOf = (status: number, code = 'x') => new ApiError(status, { code, message: 'No.' })

const open = () => {
  const answers = new Map<string, PromiseWithResolvers<undefined>>()
  const onDone = jest.fn()
  const deletedIds: string[] = []
  const enqueue = createDeletionQueue({
    remove: (id) => {
      const answer = Promise.withResolvers<undefined>()
      answers.set(id, answer)
      return answer.promise
    },
    onDeleted: (id) => deletedIds.push(id),
    onFailed: () => undefined,
    onDone,
  })
  return { enqueue, answers, onDone, deletedIds }
}
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('When many are deleted, then four calls run at once, and the others follow', async () => {
  const { enqueue, answers, onDone, deletedIds } = open()
  enqueue(uploads)
  expect(answers.size).toBe(4)
  answers.get('0')?.resolve(undefined)
  await settle()
  expect([...answers.keys()]).toEqual(['0', '1', '2', '3', '4'])
  while (deletedIds.length < uploads.length) {
    for (const { resolve } of answers.values()) resolve(undefined)
    await settle()
  }
  expect(onDone.mock.calls).toEqual([[10, []]])
})

test('When one fails, then the others are deleted, and the failure is handed on; one that is gone is no failure', async () => {
  const { enqueue, answers, onDone, deletedIds } = open()
  const error = errorOf(500)
  enqueue(uploads.slice(0, 3))
  answers.get('0')?.reject(error)
  answers.get('1')?.reject(errorOf(404, 'upload_not_found'))
  answers.get('2')?.resolve(undefined)
  await settle()
  expect(deletedIds.toSorted()).toEqual(['1', '2'])
  expect(onDone.mock.calls).toEqual([[2, [{ upload: uploads[0], error }]]])
})

test('When the member may not use the event any more, then nothing of it counts as deleted', async () => {
  const { enqueue, answers, onDone, deletedIds } = open()
  const error = errorOf(404, 'event_not_found')
  enqueue(uploads.slice(0, 1))
  answers.get('0')?.reject(error)
  await settle()
  expect(deletedIds).toEqual([])
  expect(onDone.mock.calls).toEqual([[0, [{ upload: uploads[0], error }]]])
})

test('When the page is left, then nothing waits', () => {
  const { enqueue, answers } = open()
  enqueue(uploads, { keepalive: true })
  expect(answers.size).toBe(10)
})
