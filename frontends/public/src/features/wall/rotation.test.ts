import { expect, test } from '@jest/globals'
import { chooseSlide, startRotation, type Rotation } from './rotation.ts'

const upload = (id: string, photoCredit: string, changes = {}) => ({
  _id: id,
  photoCredit,
  uploadedAt: '2027-06-12T19:00:00.000Z',
  width: 400,
  height: 300,
  ...changes,
})
type TestUpload = ReturnType<typeof upload>

/** The ids of the next slides. */
const play = (
  uploads: readonly TestUpload[],
  count: number,
  from: Rotation = startRotation(uploads),
  isWide = true,
  canShow: (upload: TestUpload) => boolean = () => true,
) => {
  let rotation = from
  const slides = Array.from({ length: count }, () => {
    const next = chooseSlide({ uploads, rotation, canShow, isWide })
    rotation = next.rotation
    return next.slide.map(({ _id }) => _id).join('+')
  })
  return { slides, rotation }
}

test('When one guest has sent many photos and another one, then guests take turns', () => {
  const uploads = [upload('b1', 'B'), ...[1, 2, 3].map((number) => upload(`a${number}`, 'A'))]
  expect(play(uploads, 6).slides).toEqual(['b1', 'a1', 'b1', 'a2', 'b1', 'a3'])
})

test('When a wall runs for long, then each photo comes up, and none twice in a row', () => {
  const uploads = Array.from({ length: 40 }, (_, index) => upload(`u${index}`, `guest ${index % 7}`))
  const { slides } = play(uploads, 400)
  expect(new Set(slides).size).toBe(40)
  expect(slides.every((slide, index) => slide !== slides[index + 1])).toBe(true)
})

test('When photos arrive, then they come next, the first one first, and once', () => {
  const old = [upload('a1', 'A'), upload('b1', 'B')]
  const { rotation } = play(old, 5)
  const arrived = [
    upload('c2', 'C', { uploadedAt: '2027-06-12T20:02:00.000Z' }),
    upload('c1', 'C', { uploadedAt: '2027-06-12T20:01:00.000Z' }),
  ]
  expect(play([...arrived, ...old], 5, rotation).slides.slice(0, 2)).toEqual(['c1', 'c2'])
  expect(play([...arrived, ...old], 5, rotation).slides[2]).toMatch(/^[ab]/)
})

test('When a photo arrives late, then it comes next, whenever it was sent', () => {
  const old = [upload('a1', 'A'), upload('b1', 'B')]
  const approved = upload('a0', 'A', { uploadedAt: '2027-06-12T18:00:00.000Z' })
  expect(play([...old, approved], 1, play(old, 4).rotation).slides).toEqual(['a0'])
})

test('When there is one photo only, then it stays; without any there is no slide', () => {
  expect(play([upload('a1', 'A')], 3).slides).toEqual(['a1', 'a1', 'a1'])
  expect(play([], 1).slides).toEqual([''])
})

test('When two portraits fit side by side, then they are shown together, and otherwise alone', () => {
  const portrait = { width: 300, height: 400 }
  const uploads = [upload('a1', 'A', portrait), upload('b1', 'B'), upload('c1', 'C', portrait)]
  expect(play(uploads, 2).slides).toEqual(['a1+c1', 'b1'])
  expect(play(uploads, 3, startRotation(uploads), false).slides).toEqual(['a1', 'b1', 'c1'])
})

test('When uploads are removed, then nothing of them is kept', () => {
  const uploads = [upload('a1', 'A'), upload('b1', 'B')]
  const { rotation } = play(uploads, 4)
  expect([...play(uploads.slice(0, 1), 1, rotation).rotation.showings.keys()]).toEqual(['a1'])
})
