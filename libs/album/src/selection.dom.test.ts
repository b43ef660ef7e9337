import { expect, test } from '@jest/globals'
import { uploadFixtures } from '../test/upload-fixture.ts'
import { findRange } from './selection.tsx'

const uploads = uploadFixtures(5)
const idAt = (index: number): string => uploads[index]?._id ?? ''

test('When a range goes down or up, then it has both ends', () => {
  expect(findRange(uploads, idAt(1), idAt(3))).toEqual(uploads.slice(1, 4))
  expect(findRange(uploads, idAt(3), idAt(1))).toEqual(uploads.slice(1, 4))
  expect(findRange(uploads, idAt(2), idAt(2))).toEqual(uploads.slice(2, 3))
})

test('When the start of a range is not in the list, then the range has its end only', () => {
  expect(findRange(uploads, undefined, idAt(4))).toEqual(uploads.slice(4))
  expect(findRange(uploads, 'hidden', idAt(0))).toEqual(uploads.slice(0, 1))
})
