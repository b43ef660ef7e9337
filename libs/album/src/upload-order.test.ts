import { expect, test } from '@jest/globals'
import { withFreshLinks, uploadFixture, uploadFixtures } from '../test/upload-fixture.ts'
import { isNewer, keepLinks, keepUnchanged, countNewer } from './upload-order.ts'

test('When two uploads have the same time, then the id decides, as on the server', () => {
  const uploadedAt = '2027-06-12T20:00:00.000Z'
  expect(isNewer(uploadFixture(2, { uploadedAt }), uploadFixture(1, { uploadedAt }))).toBe(true)
  expect(isNewer(uploadFixture(1, { uploadedAt }), uploadFixture(2, { uploadedAt }))).toBe(false)
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

test('When links are kept, then those that are new or gone show nevertheless', () => {
  const known = uploadFixture(1)
  const [fresh = known] = withFreshLinks([{ ...known, thumbnailUrl: 'http://blob.test/fresh' }])
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
