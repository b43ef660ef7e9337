import { expect, test } from '@jest/globals'
import { MB, type Event } from '@confetti/contracts'
import { loadCatalogues } from '@confetti/i18n'
import { eventFixture } from '../../test/event-fixture.ts'
import { albumCatalogue } from '../texts.ts'
import {
  findEdits,
  getLastDay,
  getSave,
  toChange,
  toForm,
  toFormErrors,
  validate,
  type SettingsEdits,
} from './settings-form.ts'

await loadCatalogues([albumCatalogue])

const GB = 1_024 * MB
const DURING_EVENT = Date.parse('2027-06-13T12:00:00Z')
const AFTER_CLOSING = Date.parse('2027-08-01T12:00:00Z')

const withSettings = (settings: Event['settings'], changes: Partial<Event> = {}): Event => ({
  ...eventFixture,
  ...changes,
  settings,
})

test('When an event has no settings, then the fields are empty, and uploads as guests see them', () => {
  const empty = {
    uploadsCloseAt: '',
    timeZone: '',
    welcome: '',
    cover: '',
    moderation: 'off',
    gallery: 'off',
    revealAt: '',
    save: '',
    keepDays: '',
    maxFiles: '',
    maxBytes: '',
    language: '',
    consent: '',
    consentUrl: '',
    responsible: '',
    pin: '',
    pinInLinks: 'on',
  }
  expect(toForm(eventFixture)).toEqual({ uploads: 'open', ...empty })
  expect(toForm({ ...eventFixture, uploadsOpen: false })).toEqual({ uploads: 'closed', ...empty })
})

test('When an event has settings, then the fields show them, times in the time zone of the event', () => {
  const event = withSettings({
    uploadsCloseAt: '2027-06-20T10:00:00.000Z',
    maxFiles: 500,
    maxBytes: 2.5 * GB,
    keepDays: 30,
  })
  expect(toForm(event)).toMatchObject({
    uploadsCloseAt: '2027-06-20T12:00',
    maxFiles: '500',
    maxBytes: '2.5',
    keepDays: '30',
  })
})

test('When a field has its old value again, then it is not an edit', () => {
  const event = withSettings({ welcome: 'Hello' })
  expect(findEdits(event, { welcome: 'Hello', keepDays: '30', maxFiles: '' })).toEqual({ keepDays: '30' })
})

test('When edits are sent, then only they are, in the units of the API', () => {
  expect(toChange(eventFixture, { maxBytes: '0.5', maxFiles: '100' })).toEqual({
    maxBytes: 512 * MB,
    maxFiles: 100,
  })
  expect(toChange(eventFixture, { uploads: 'closed' })).toEqual({ uploads: 'closed' })
})

test('When the gallery opens at a time, then it is that time of day in the time zone of the event', () => {
  const event = withSettings({ gallery: 'on', moderation: 'approve', revealAt: '2027-06-14T18:00:00.000Z' })
  expect(toForm(event)).toMatchObject({ gallery: 'on', moderation: 'approve', revealAt: '2027-06-14T20:00' })
  expect(toChange(event, { revealAt: '2027-06-14T21:00' })).toEqual({ revealAt: '2027-06-14T19:00:00.000Z' })
  expect(toChange(event, { timeZone: 'UTC' })).toMatchObject({ revealAt: '2027-06-14T20:00:00.000Z' })
  expect(toChange(event, { moderation: 'off', gallery: 'off', revealAt: '' })).toEqual({
    moderation: 'off',
    gallery: 'off',
    revealAt: null,
  })
})

test('When a field is emptied, then it gets its default', () => {
  const event = withSettings({ welcome: 'Hello', cover: 'c'.repeat(24), keepDays: 3, maxBytes: GB })
  expect(toChange(event, { welcome: ' \n', cover: '', keepDays: '', maxBytes: '' })).toEqual({
    welcome: null,
    cover: null,
    keepDays: null,
    maxBytes: null,
  })
})

test('When the time zone changes, then the closing time is the same time of day there', () => {
  const event = withSettings({ uploadsCloseAt: '2027-06-20T10:00:00.000Z' })
  expect(toChange(event, { timeZone: 'America/New_York' })).toEqual({
    timeZone: 'America/New_York',
    uploadsCloseAt: '2027-06-20T16:00:00.000Z',
  })
  expect(toChange(eventFixture, { timeZone: 'America/New_York' })).toEqual({ timeZone: 'America/New_York' })
})

test('When the closing time has passed, then opening asks for a later one', () => {
  const byDefault = { ...eventFixture, uploadsOpen: false }
  const explicit = withSettings({ uploadsCloseAt: '2027-06-20T10:00:00.000Z' }, { uploadsOpen: false })
  for (const event of [byDefault, explicit]) {
    expect(validate(event, { uploads: 'open' }, AFTER_CLOSING)).toEqual({
      uploadsCloseAt: expect.stringContaining('has passed'),
    })
    expect(validate(event, { uploads: 'open', uploadsCloseAt: '2027-09-01T00:00' }, AFTER_CLOSING)).toEqual(
      {},
    )
  }
})

test('When uploads were closed before their closing time, then they can be opened without another one', () => {
  const event = withSettings({ uploads: 'closed' }, { uploadsOpen: false })
  expect(validate(event, { uploads: 'open' }, DURING_EVENT)).toEqual({})
  expect(validate(eventFixture, { uploads: 'closed' }, AFTER_CLOSING)).toEqual({})
})

test.each(['0', '-3', '1.5', 'soon', '36501'])(
  'When an event is to be kept for %s days, then it is refused',
  (keepDays) => {
    expect(validate(eventFixture, { keepDays }, DURING_EVENT)).toHaveProperty('keepDays')
  },
)

test('When the event would be deleted at once, then the days are refused', () => {
  expect(validate(eventFixture, { keepDays: '30' }, DURING_EVENT)).toEqual({})
  expect(validate(eventFixture, { keepDays: '30' }, AFTER_CLOSING)).toHaveProperty('keepDays')
  const lastDay = (edits: SettingsEdits) => getLastDay(eventFixture, { ...toForm(eventFixture), ...edits })
  expect(lastDay({ keepDays: '31' })).toBe('2027-07-15')
  expect(lastDay({ keepDays: '' })).toBeUndefined()
  // Not before uploads close.
  expect(lastDay({ keepDays: '3' })).toBe('2027-07-14')
  expect(lastDay({ keepDays: '3', uploadsCloseAt: '2027-06-20T12:00' })).toBe('2027-06-20')
})

test('When texts and limits are invalid, then their fields say so', () => {
  expect(validate(eventFixture, { welcome: '🎉'.repeat(500) })).toEqual({})
  expect(validate(eventFixture, { welcome: '🎉'.repeat(501), maxFiles: '2.5', maxBytes: '-1' })).toEqual({
    welcome: 'The welcome text is longer than 500 characters.',
    maxFiles: expect.any(String),
    maxBytes: expect.any(String),
  })
})

test('When the server rejects a setting, then the message is for its field', () => {
  expect(toFormErrors({ 'settings.keepDays': 'No.', endDate: 'Neither.' })).toEqual({
    keepDays: 'No.',
    endDate: 'Neither.',
  })
})

test('When what guests agree to is edited, then text and address are sent together, and null without a text', () => {
  const consent = { text: 'You may show my photos.', url: 'https://example.org/terms' }
  const event = { ...eventFixture, settings: { ...eventFixture.settings, consent, responsible: 'Ann' } }
  expect(toForm(event)).toMatchObject({ consent: consent.text, consentUrl: consent.url, responsible: 'Ann' })
  expect(toChange(event, { consent: 'And print them.' })).toEqual({
    consent: { text: 'And print them.', url: consent.url },
  })
  expect(toChange(event, { consentUrl: ' ' })).toEqual({ consent: { text: consent.text } })
  expect(toChange(event, { consent: ' ', responsible: '' })).toEqual({ consent: null, responsible: null })
})

test('When the PIN is edited, then it is sent without spaces, and null takes it away', () => {
  const event = {
    ...eventFixture,
    settings: { ...eventFixture.settings, pin: 'Tulip42', pinInLinks: 'off' as const },
  }
  expect(toForm(event)).toMatchObject({ pin: 'Tulip42', pinInLinks: 'off' })
  expect(toChange(event, { pin: ' Rose1234 ', pinInLinks: 'on' })).toEqual({
    pin: 'Rose1234',
    pinInLinks: 'on',
  })
  expect(toChange(event, { pin: '' })).toEqual({ pin: null })
  for (const pin of ['123', '1234567890abc', 'Tülip', 'two words'])
    expect(validate(event, { pin })).toEqual({ pin: 'A PIN has 4 to 12 letters (A–Z) or digits.' })
  expect(validate(event, { pin: '1234' })).toEqual({})
})

test('When the address of the terms is not secure, or a text is too long, then the fields say so', () => {
  const edits = {
    consent: 'x'.repeat(1_001),
    consentUrl: 'http://example.org',
    responsible: 'x'.repeat(1_001),
  }
  expect(validate(eventFixture, edits)).toEqual({
    consent: 'This text is longer than 1000 characters.',
    consentUrl: 'The address must begin with https://.',
    responsible: 'This text is longer than 1000 characters.',
  })
  expect(validate(eventFixture, { consentUrl: 'https://example.org' })).toEqual({})
  expect(toFormErrors({ 'settings.consent.url': 'No.' })).toEqual({ consentUrl: 'No.' })
})

test('When nobody has decided whether guests can save, then they can in new events with a gallery', () => {
  const old = withSettings({})
  const fresh = withSettings({}, { savesWithGallery: true })
  expect(getSave(fresh, toForm(fresh))).toBe('off')
  expect(getSave(fresh, { ...toForm(fresh), gallery: 'on' })).toBe('copy')
  expect(getSave(old, { ...toForm(old), gallery: 'on' })).toBe('off')
  expect(getSave(fresh, { ...toForm(fresh), gallery: 'on', save: 'off' })).toBe('off')
  expect(toChange(old, { save: 'copy' })).toEqual({ save: 'copy' })
})
