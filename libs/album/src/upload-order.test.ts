import { expect, test } from '@jest/globals'
import { relinked, someUpload, someUploads } from '../test/some-upload.ts'
import { isNewer, keepSame, leavesGap, newerThan, withNewest } from './upload-order.ts'

test('When two uploads came in the same millisecond, then the id decides, as on the server', () => {
  const uploadedAt = '2027-06-12T20:00:00.000Z'
  expect(isNewer(someUpload(2, { uploadedAt }), someUpload(1, { uploadedAt }))).toBe(true)
  expect(isNewer(someUpload(1, { uploadedAt }), someUpload(2, { uploadedAt }))).toBe(false)
})

test('When the newest page comes, then new ones are in front and older ones stay', () => {
  const [seven, six, five, ...older] = someUploads(7)
  const known = [five, ...older].filter((upload) => upload !== undefined)
  const newest = [seven, six, five].filter((upload) => upload !== undefined)
  expect(withNewest(known, newest)).toEqual(someUploads(7))
})

test('When the newest page lacks one that is known within its reach, then that one is gone', () => {
  const known = someUploads(6)
  const newest = known.slice(0, 4).filter((_, index) => index !== 2)
  expect(withNewest(known, newest)).toEqual(known.filter((_, index) => index !== 2))
})

test('When the newest page does not reach what is known, then others may lie between', () => {
  const all = someUploads(10)
  expect(leavesGap(all.slice(5), all.slice(0, 3))).toBe(true)
  expect(leavesGap(all.slice(2), all.slice(0, 3))).toBe(false)
  expect(leavesGap([], all.slice(0, 3))).toBe(true)
})

test('When nothing has changed, then the very same list stays', () => {
  const known = someUploads(3)
  expect(
    keepSame(
      known,
      known.map((upload) => ({ ...upload })),
    ),
  ).toBe(known)
})

test('When one gets its picture or a fresh link, then that one alone is new', () => {
  const known = someUploads(3).map((upload, index) =>
    index === 1 ? { ...upload, status: 'processing' as const } : upload,
  )
  const next = keepSame(
    known,
    someUploads(3).map((upload) => ({ ...upload })),
  )
  expect(next.map((upload, index) => upload === known[index])).toEqual([true, false, true])
  expect(next[1]?.status).toBe('ready')
  expect(keepSame(known, relinked(known))).toEqual(relinked(known))
})

test('When new ones wait above the first one shown, then they are counted, even if that one has been deleted', () => {
  const all = someUploads(8)
  expect(newerThan(someUpload(5), all)).toBe(3)
  expect(
    newerThan(
      someUpload(5),
      all.filter(({ _id }) => _id !== someUpload(5)._id),
    ),
  ).toBe(3)
  expect(newerThan(someUpload(8), all)).toBe(0)
})
