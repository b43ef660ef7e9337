import { expect, test } from '@jest/globals'
import { createQueryShapes } from './query-shapes.ts'

const unindexed = (indexes: string[][], filter: object, sort?: Record<string, 1 | -1>): string[] => {
  const { addIndex, record, listUnindexed } = createQueryShapes()
  for (const index of indexes) addIndex(index)
  record(filter as Record<string, unknown>, sort)
  return listUnindexed()
}
const now = new Date(0)

// Tests take rows by a rest parameter: Jest takes a parameter that a row lacks for the callback `done`, and waits for it.
type Row = [shape: string, indexes: string[][], filter: object, sort?: Record<string, 1 | -1>]

test.each<Row>([
  ['its id', [], { _id: 'a', state: 'b' }],
  ['the first field of an index', [['eventId', 'size']], { eventId: 'a', deleted: false }],
  [
    'a field behind one that says little',
    [['deleted', 'deletedAt']],
    { deleted: false, deletedAt: { $lt: now } },
  ],
  ['each branch', [['a'], ['b']], { $or: [{ a: 1 }, { b: 1 }] }],
  ['the order of a list', [['at']], {}, { at: -1 }],
  ['the order of a part of it', [['deletedAt', 'at']], { deletedAt: null }, { at: -1 }],
])('When a query finds documents by %s, then it has an index', (...[, indexes, filter, sort]) => {
  expect(unindexed(indexes, filter, sort)).toEqual([])
})

test.each<Row>([
  ['everything', [['at']], {}],
  ['isPublished', [['at']], { isPublished: true }],
  ['(deleted)', [['deleted']], { deleted: false }],
  ['deletedAt (pending)', [['pending', 'until']], { deletedAt: { $lt: now }, pending: false }],
  ['size', [['eventId', 'size']], { size: 1 }],
  ['a | b', [['a']], { $or: [{ a: 1 }, { b: 1 }] }],
  ['(state)', [['state']], { state: { $ne: 'deleted' } }],
  ['by at', [['eventId', 'at']], {}, { at: 1 }],
])('When a query for %s reads all documents, then it is listed', (...[shape, indexes, filter, sort]) => {
  expect(unindexed(indexes, filter, sort)).toEqual([shape])
})
