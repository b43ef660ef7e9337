import { expect, test } from '@jest/globals'
import { archiveFilename, createEntryNames, getEntryTime, toCopyEntries } from './entries.ts'

const upload = (photoCredit: string, name: string) => ({ filename: `0123/${name}`, photoCredit })

test.each([
  [{ name: 'Anna & Ben', startDate: '2027-06-12' }, 'Anna & Ben 2027-06-12.zip'],
  [{ name: 'Party: "50/50"?', startDate: '2027-06-12' }, 'Party 5050 2027-06-12.zip'],
  [{ name: '../../etc', startDate: '2027-06-12' }, 'etc 2027-06-12.zip'],
  [{ name: 'con' }, '_con.zip'],
  [{}, 'Event_0123.zip'],
])('The archive of the event %j is called %s', (event, filename) => {
  expect(archiveFilename({ _id: '0123', ...event })).toBe(filename)
})

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
  // Of a family, and in Persian and Hindi: what joins letters and symbols is a part of them.
  ['\u{1f468}\u200d\u{1f469}\u200d\u{1f467}', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
  ['\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
  ['\u0915\u094d\u200d\u0937', '\u0915\u094d\u200d\u0937'],
  ['\u200dcon\u200d', '_con'],
  ['\u200b\u2066Anna\u2069\ufeff', 'Anna'],
  ['\u200d\u200c', 'unnamed'],
])('The credit %j becomes the folder %j', (credit, folder) => {
  expect(createEntryNames('credit')(upload(credit, 'a.jpg'))).toBe(`${folder}/a.jpg`)
})

test('Credits whose folders would be the same where case is ignored get distinct ones', () => {
  const getName = createEntryNames('credit')
  const names = ['Anna', 'ANNA', 'Anna:', 'Anna', 'ANNA'].map((credit) => getName(upload(credit, 'a.jpg')))
  expect(names).toEqual(['Anna/a.jpg', 'ANNA-2/a.jpg', 'Anna-3/a.jpg', 'Anna/a.jpg', 'ANNA-2/a.jpg'])
})

test('Copies that would have one name get numbers, also where case is ignored and where a guest is called like a number', () => {
  const names = ['Anna', 'Anna', 'ANNA (2)', 'Anna (2)', 'anna']
  const entries = toCopyEntries(
    names.map((credit, index) => ({
      _id: String(index),
      name: `18.15.00 ${credit}.jpg`,
      file: 'copy',
      size: 1,
      crc32: 1,
      capture: { capturedAt: new Date('2026-05-01T16:15:00Z'), captureZone: 'Europe/Berlin' },
    })),
  )
  expect(entries.map(({ name }) => name)).toEqual([
    '18.15.00 Anna.jpg',
    '18.15.00 Anna (2).jpg',
    '18.15.00 ANNA (2) (2).jpg',
    '18.15.00 Anna (2) (3).jpg',
    '18.15.00 anna (3).jpg',
  ])
})

test('A long credit is cut at 100 bytes, between characters', () => {
  const name = createEntryNames('credit')(upload('é'.repeat(80), 'a.jpg'))
  expect(name).toBe(`${'é'.repeat(50)}/a.jpg`)
})

test('A file has the time on the clocks of its event', () => {
  const capturedAt = new Date('2026-05-01T16:30:00Z')
  expect(getEntryTime({ capturedAt, captureZone: 'Europe/Berlin' })).toEqual({
    local: '2026-05-01T18:30:00',
    unixSeconds: 1_777_653_000,
  })
})
