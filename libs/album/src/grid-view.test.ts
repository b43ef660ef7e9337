import { expect, test } from '@jest/globals'
import type { Upload } from '@confetti/contracts'
import { uploadFixture, uploadFixtures } from '../test/upload-fixture.ts'
import {
  arrangeUploads,
  countByCredit,
  defaultView,
  filterUploads,
  isFiltered,
  noFilter,
} from './grid-view.ts'

const names = (uploads: readonly Upload[]): string[] => uploads.map(({ originalName }) => originalName)

const uploads = [
  uploadFixture(4, { originalName: 'clip.mov', contentType: 'video/quicktime', photoCredit: 'The band' }),
  uploadFixture(3, { status: 'processing' }),
  uploadFixture(2, { status: 'failed', photoCredit: 'The band' }),
  uploadFixture(1),
]

test('When nothing is chosen, then all uploads show, newest first', () => {
  expect(isFiltered(defaultView)).toBe(false)
  expect(arrangeUploads(uploads, defaultView)).toBe(uploads)
})

test.each([
  [{ credit: 'The band' }, ['clip.mov', 'photo-2.jpg']],
  [{ credit: 'the band' }, []],
  [{ type: 'video' as const }, ['clip.mov']],
  [{ type: 'photo' as const }, ['photo-3.jpg', 'photo-2.jpg', 'photo-1.jpg']],
  [{ status: 'processing' as const }, ['photo-3.jpg']],
  [{ status: 'failed' as const }, ['photo-2.jpg']],
  [{ status: 'ready' as const }, ['clip.mov', 'photo-1.jpg']],
  [{ credit: 'The band', type: 'photo' as const, status: 'failed' as const }, ['photo-2.jpg']],
  [{ credit: 'Table 4', type: 'video' as const }, []],
])('When the filter is %j, then %j show', (filter, expected) => {
  expect(isFiltered({ ...noFilter, ...filter })).toBe(true)
  expect(names(filterUploads(uploads, { ...noFilter, ...filter }))).toEqual(expected)
})

test('When the order is by capture time, then the oldest is first, and the upload time replaces a missing one', () => {
  const taken = [
    uploadFixture(4, { takenAt: '2027-06-12T18:00:00Z' }),
    uploadFixture(3, { takenAt: '2027-06-12T21:00:00Z' }),
    uploadFixture(2),
    uploadFixture(1, { takenAt: '2027-06-12T21:30:00+01:00' }),
  ]
  expect(names(arrangeUploads(taken, { ...defaultView, order: 'taken' }))).toEqual([
    'photo-4.jpg',
    'photo-2.jpg',
    'photo-1.jpg',
    'photo-3.jpg',
  ])
})

test('When capture times are equal, then the order is still the same each time', () => {
  const same = uploadFixtures(3).map((upload) => ({ ...upload, takenAt: '2027-06-12T18:00:00Z' }))
  const expected = ['photo-1.jpg', 'photo-2.jpg', 'photo-3.jpg']
  expect(names(arrangeUploads(same, { ...defaultView, order: 'taken' }))).toEqual(expected)
  expect(names(arrangeUploads([...same].reverse(), { ...defaultView, order: 'taken' }))).toEqual(expected)
})

test('When guests are listed, then each has a count, and numbers in names are in numeric order', () => {
  const credits = ['Table 10', 'Anna', 'Table 4', 'Anna']
  expect(countByCredit(credits.map((photoCredit, index) => uploadFixture(index, { photoCredit })))).toEqual([
    ['Anna', 2],
    ['Table 4', 1],
    ['Table 10', 1],
  ])
})
