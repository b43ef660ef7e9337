import { expect, test } from '@jest/globals'
import { loadCatalogues } from '@confetti/i18n'
import { formatEventDays, formatLastDayBefore, getClosedText } from './event-days.tsx'
import { uiCatalogue } from './texts.ts'

await loadCatalogues([uiCatalogue])

test.each([
  ['2027-06-12', '2027-06-14', '12 – 14 June 2027'],
  ['2027-06-12', '2027-06-12', '12 June 2027'],
  ['2027-06-30', '2027-07-02', '30 June – 2 July 2027'],
  ['2026-12-31', '2027-01-01', '31 December 2026 – 1 January 2027'],
])('When an event lasts from %s to %s, then its days are formatted as %s', (start, end, text) => {
  expect(formatEventDays(start, end)).toBe(text)
})

test.each([
  ['ja', '2027-06-12', '2027-06-14', '2027年6月12日～14日'],
  ['ja', '2027-06-12', '2027-06-12', '2027年6月12日'],
  ['ja', '2027-06-30', '2027-07-02', '2027年6月30日～7月2日'],
  ['ja', '2026-12-31', '2027-01-01', '2026年12月31日～2027年1月1日'],
  ['zh-Hans', '2027-06-12', '2027-06-14', '2027年6月12日至14日'],
  ['ar', '2027-06-12', '2027-06-14', '12 – 14 يونيو 2027'],
] as const)(
  'When the page is in the language %s, then the days from %s to %s are formatted as %s',
  (locale, start, end, text) => {
    expect(formatEventDays(start, end, locale)).toBe(text)
  },
)

test.each([
  ['2027-07-15T00:00:00.000Z', undefined],
  ['2027-07-15T00:00:00.000Z', 'UTC'],
  ['2027-07-15T04:00:00.000Z', 'America/New_York'],
  ['2027-07-14T22:00:00.000Z', 'Europe/Berlin'],
  ['2027-07-14T10:00:00.000Z', 'Pacific/Kiritimati'],
  ['2027-07-15T00:00:00.000Z', 'Mars/Olympus_Mons'],
])('When uploads close at %s, midnight in %s, then the last day is the one before', (instant, timeZone) => {
  expect(formatLastDayBefore(instant, timeZone)).toBe('14 July 2027')
})

test('When uploads were closed before their closing time, then the text has no day', () => {
  expect(getClosedText('2020-07-14T22:00:00.000Z', 'Europe/Berlin')).toBe(
    'Uploads for this event closed on 14 July 2020.',
  )
  for (const closingTime of ['2999-07-14T22:00:00.000Z', undefined])
    expect(getClosedText(closingTime, 'Europe/Berlin')).toBe('Uploads for this event are closed.')
})
