import { expect, test } from '@jest/globals'
import { withFreshLinks, uploadFixture, uploadFixtures } from '../test/upload-fixture.ts'
import { isNewer, keepLinks, keepUnchanged, leavesGap, countNewer, mergePage } from './upload-order.ts'

test('When two uploads have the same time, then the id decides, as on the server', () => {
  const uploadedAt = '2027-06-12T20:00:00.000Z'
  expect(isNewer(uploadFixture(2, { uploadedAt }), uploadFixture(1, { uploadedAt }))).toBe(true)
  expect(isNewer(uploadFixture(1, { uploadedAt }), uploadFixture(2, { uploadedAt }))).toBe(false)
})

test('When the newest page is merged, then new uploads are first and older ones stay', () => {
  const [seven, six, five, ...older] = uploadFixtures(7)
  const known = [five, ...older].filter((upload) => upload !== undefined)
  const newest = [seven, six, five].filter((upload) => upload !== undefined)
  expect(mergePage(known, newest)).toEqual(uploadFixtures(7))
})

test('When the newest page lacks a known upload within its range, then that upload is removed', () => {
  const known = uploadFixtures(6)
  const newest = known.slice(0, 4).filter((_, index) => index !== 2)
  expect(mergePage(known, newest)).toEqual(known.filter((_, index) => index !== 2))
})

test('When a page from the middle is merged, then it replaces its range and nothing else', () => {
  const known = uploadFixtures(9)
  const page = withFreshLinks(known.slice(3, 7)).filter((_, index) => index !== 1)
  const merged = mergePage(known, page, uploadFixture(7))
  expect(merged).toEqual([...known.slice(0, 3), ...page, ...known.slice(7)])
})

test('When the newest page does not overlap the known uploads, then there may be a gap', () => {
  const all = uploadFixtures(10)
  expect(leavesGap(all.slice(5), all.slice(0, 3))).toBe(true)
  expect(leavesGap(all.slice(2), all.slice(0, 3))).toBe(false)
  expect(leavesGap([], all.slice(0, 3))).toBe(true)
})

test('When nothing has changed, then the list stays the same object', () => {
  const known = uploadFixtures(3)
  expect(
    keepUnchanged(
      known,
      known.map((upload) => ({ ...upload })),
    ),
  ).toBe(known)
})

test('When an upload gets its picture or a fresh link, then only that object is new', () => {
  const known = uploadFixtures(3).map((upload, index) =>
    index === 1 ? { ...upload, status: 'processing' as const } : upload,
  )
  const next = keepUnchanged(
    known,
    uploadFixtures(3).map((upload) => ({ ...upload })),
  )
  expect(next.map((upload, index) => upload === known[index])).toEqual([true, false, true])
  expect(next[1]?.status).toBe('ready')
  expect(keepUnchanged(known, withFreshLinks(known))).toEqual(withFreshLinks(known))
})

test('When a field changes that no code names, then that object is new', () => {
  const known = uploadFixtures(2)
  const next = known.map((upload, index) => ({ ...upload, ...(index === 1 && { unnamed: 1 }) }))
  const kept = keepUnchanged(known, next)
  expect(kept).toEqual(next)
  expect(kept[0]).toBe(known[0])
  expect(keepUnchanged(kept, known)).toEqual(known)
})

test('When links of the gallery are kept, then a video that is new or gone shows nevertheless', () => {
  const known = {
    _id: '1',
    photoCredit: 'Table 4',
    uploadedAt: '2027-06-12T20:00:00.000Z',
    width: 400,
    height: 300,
    thumbnailUrl: 'http://blob.test/thumbnail?1',
    previewUrl: 'http://blob.test/preview?1',
  }
  const fresh = {
    ...known,
    thumbnailUrl: 'http://blob.test/thumbnail?2',
    previewUrl: 'http://blob.test/preview?2',
  }
  expect(keepLinks(known, fresh)).toBe(known)
  const withVideo = keepLinks(known, { ...fresh, videoUrl: 'http://blob.test/video?2' })
  expect(withVideo).toEqual({ ...known, videoUrl: 'http://blob.test/video?2' })
  expect(keepLinks(withVideo, { ...fresh, videoUrl: 'http://blob.test/video?3' })).toBe(withVideo)
  expect(keepLinks(withVideo, fresh)).toEqual(known)
})

test('When there are uploads newer than the first one shown, then they are counted, even if that one has been deleted', () => {
  const all = uploadFixtures(8)
  expect(countNewer(uploadFixture(5), all)).toBe(3)
  expect(
    countNewer(
      uploadFixture(5),
      all.filter(({ _id }) => _id !== uploadFixture(5)._id),
    ),
  ).toBe(3)
  expect(countNewer(uploadFixture(8), all)).toBe(0)
})
