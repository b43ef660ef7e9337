import { expect, test } from '@jest/globals'
import { createEntryNames, getEntryTime } from './entries.ts'

const upload = (photoCredit: string, name: string) => ({ filename: `0123/${name}`, photoCredit })

test('Without folders, an entry has the last segment of the filename', () => {
  expect(createEntryNames('none')(upload('Anna', 'IMG_1.jpg'))).toBe('IMG_1.jpg')
})

test.each([
  ['Anna', 'Anna'],
  ['Tisch 4: "Familie"', 'Tisch 4 Familie'],
  ['../../etc', 'etc'],
  ['con', '_con'],
  ['CON ?', '_CON'],
  ['aux .', '_aux'],
  ['Die Müllers. ', 'Die Müllers'],
  ['...', 'unnamed'],
  ['\u202egnp.exe', 'gnp.exe'],
])('The credit %j becomes the folder %j', (credit, folder) => {
  expect(createEntryNames('credit')(upload(credit, 'a.jpg'))).toBe(`${folder}/a.jpg`)
})

test('Credits whose folders would be the same where case is ignored get distinct ones', () => {
  const getName = createEntryNames('credit')
  const names = ['Anna', 'ANNA', 'Anna:', 'Anna', 'ANNA'].map((credit) => getName(upload(credit, 'a.jpg')))
  expect(names).toEqual(['Anna/a.jpg', 'ANNA-2/a.jpg', 'Anna-3/a.jpg', 'Anna/a.jpg', 'ANNA-2/a.jpg'])
})

test('A long credit is cut at 100 bytes, between characters', () => {
  const name = createEntryNames('credit')(upload('é'.repeat(80), 'a.jpg'))
  expect(name).toBe(`${'é'.repeat(50)}/a.jpg`)
})

const uploadedAt = new Date('2026-05-02T09:00:00.400Z')

test.each([
  ['2026-05-01T18:30:00+02:00', { local: '2026-05-01T18:30:00', unixSeconds: 1_777_653_000 }],
  ['2026-05-01T16:30:00Z', { local: '2026-05-01T16:30:00', unixSeconds: 1_777_653_000 }],
  ['2026-05-01T18:30:00', { local: '2026-05-01T18:30:00' }],
  ['2026-13-01T18:30:00', { local: '2026-05-02T09:00:00', unixSeconds: 1_777_712_400 }],
  [undefined, { local: '2026-05-02T09:00:00', unixSeconds: 1_777_712_400 }],
])('A file that was taken at %s and uploaded later has the time %j', (takenAt, modified) => {
  expect(getEntryTime({ takenAt, uploadedAt }).modified).toEqual(modified)
})
