import { expect, test } from '@jest/globals'
import { describeChange } from './describe-change.ts'
import type { StoredEvent } from '../event.ts'

const id = (digit: string) => digit.repeat(24)
const before: StoredEvent = {
  _id: id('a'),
  name: 'Summer party',
  description: '',
  startDate: '2026-07-01',
  endDate: '2026-07-02',
  organisers: [{ _id: id('1'), email: 'one@example.com' }],
  organiserInvitations: [],
  recentInvitations: [],
  settings: { uploads: 'open', maxFiles: 100 },
  uploadsCloseAt: new Date(0),
  createdAt: new Date(0),
  revision: 1,
}

test('When nothing has changed, then there is nothing to record', () => {
  expect(describeChange(before, { ...before, revision: 2 })).toEqual([])
})

test('When fields and settings change, then one entry has their values before and after', () => {
  const after: StoredEvent = {
    ...before,
    endDate: '2026-07-03',
    settings: { uploads: 'closed', welcome: 'Hello' },
  }
  expect(describeChange(before, after)).toEqual([
    {
      action: 'event.changed',
      subject: { type: 'event', id: before._id },
      eventId: before._id,
      details: {
        endDate: { from: '2026-07-02', to: '2026-07-03' },
        uploads: { from: 'open', to: 'closed' },
        maxFiles: { from: 100, to: null },
        welcome: { from: null, to: 'Hello' },
      },
    },
  ])
})

test('When what guests agree to changes, then its text and its address are fields of their own', () => {
  const withConsent = (consent: NonNullable<StoredEvent['settings']['consent']>): StoredEvent => ({
    ...before,
    settings: { ...before.settings, consent },
  })
  const [change] = describeChange(
    withConsent({ text: 'May we show your photos?' }),
    withConsent({ text: 'May we print your photos?', url: 'https://example.org' }),
  )
  expect(change?.details).toEqual({
    consent: { from: 'May we show your photos?', to: 'May we print your photos?' },
    consentUrl: { from: null, to: 'https://example.org' },
  })
})

test('When the PIN changes, then there is an entry without it, and none if only its case changes', () => {
  const withPin = (pin?: string): StoredEvent => ({
    ...before,
    pinSalt: 'salt',
    settings: { ...before.settings, ...(pin && { pin }) },
  })
  const pinChange = (from: StoredEvent, to: StoredEvent) => describeChange(from, to)[0]?.details
  const set = expect.stringMatching(/^set \([0-9a-f]{8}\)$/)
  expect(pinChange(withPin(), withPin('Tulip42'))).toEqual({ pin: { from: null, to: set } })
  expect(pinChange(withPin('Tulip42'), withPin('Rose1234'))).toEqual({ pin: { from: set, to: set } })
  expect(pinChange(withPin('Tulip42'), withPin())).toEqual({ pin: { from: set, to: null } })
  expect(describeChange(withPin('Tulip42'), withPin('tulip42'))).toEqual([])
})

test('When translations change, then each text is a field of its own', () => {
  const translated = (translations: StoredEvent['settings']['translations']): StoredEvent => ({
    ...before,
    settings: { ...before.settings, translations },
  })
  const [change] = describeChange(
    translated({ de: { name: 'Sommerfest', welcome: 'Hallo' } }),
    translated({ de: { name: 'Gartenfest', welcome: 'Hallo' }, fr: { name: 'Fête' } }),
  )
  expect(change?.details).toEqual({
    'name (de)': { from: 'Sommerfest', to: 'Gartenfest' },
    'name (fr)': { from: null, to: 'Fête' },
  })
})

test('When organisers are exchanged, then each of them has an entry as its subject', () => {
  const after: StoredEvent = { ...before, organisers: [{ _id: id('2'), email: 'two@example.com' }] }
  expect(describeChange(before, after)).toEqual([
    {
      action: 'event.organiser-added',
      subject: { type: 'user', id: id('2') },
      eventId: before._id,
      details: { email: 'two@example.com' },
    },
    {
      action: 'event.organiser-removed',
      subject: { type: 'user', id: id('1') },
      eventId: before._id,
      details: { email: 'one@example.com' },
    },
  ])
})

test('When other organisers come first, then the first one has an entry', () => {
  const [one, two] = [
    { _id: id('1'), email: 'one@example.com' },
    { _id: id('2'), email: 'two@example.com' },
  ] as const
  expect(
    describeChange({ ...before, organisers: [one, two] }, { ...before, organisers: [two, one] }),
  ).toEqual([
    {
      action: 'event.first-organiser-changed',
      subject: { type: 'user', id: id('2') },
      eventId: before._id,
      details: { email: 'two@example.com' },
    },
  ])
})

test('When the live wall gets a key or loses it, then that is recorded without the key', () => {
  const withWall: StoredEvent = { ...before, wallKeyHash: 'a'.repeat(64) }
  const entry = { subject: { type: 'event', id: before._id }, eventId: before._id }
  expect(describeChange(before, withWall)).toEqual([{ ...entry, action: 'event.wall-created' }])
  expect(describeChange(withWall, { ...withWall, wallKeyHash: 'b'.repeat(64) })).toEqual([
    { ...entry, action: 'event.wall-created' },
  ])
  expect(describeChange(withWall, before)).toEqual([{ ...entry, action: 'event.wall-ended' }])
  expect(describeChange(withWall, withWall)).toEqual([])
})

test('When an invitation is replaced, or ends because somebody organises or leaves, then it was not withdrawn', () => {
  const invitation = (_id: string, email: string) => ({
    _id,
    email,
    tokenHash: '',
    expiresAt: new Date(0),
    invitedBy: id('1'),
  })
  const invited = { ...before, organiserInvitations: [invitation(id('8'), 'two@example.com')] }
  const again = { ...before, organiserInvitations: [invitation(id('9'), 'two@example.com')] }
  const two = { _id: id('2'), email: 'two@example.com' }
  const actionsOf = (...change: Parameters<typeof describeChange>) =>
    describeChange(...change).map(({ action }) => action)
  expect(actionsOf(before, invited)).toEqual(['event.organiser-invited'])
  expect(actionsOf(invited, again)).toEqual(['event.organiser-invited'])
  expect(actionsOf(invited, before)).toEqual(['event.invitation-withdrawn'])
  expect(actionsOf(invited, { ...before, organisers: [...before.organisers, two] })).toEqual([
    'event.organiser-added',
  ])
})
