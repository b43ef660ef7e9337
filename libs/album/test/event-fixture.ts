import type { Event } from '@confetti/contracts'

const organiser = { _id: '66aa0000000000000000000a', email: 'organiser@confetti.test' }

/** An event in June 2027 whose uploads close a month later. */
export const eventFixture: Event = {
  _id: '66aa00000000000000000001',
  name: 'Garden wedding',
  description: 'Dinner in the barn.',
  startDate: '2027-06-12',
  endDate: '2027-06-14',
  uploadsOpen: true,
  uploadsCloseAt: '2027-07-14T22:00:00.000Z',
  timeZone: 'Europe/Berlin',
  limits: { maxFileBytes: 524_288_000, types: ['image/jpeg'] },
  eventFor: organiser,
  organisers: [organiser],
  organiserInvitations: [],
  settings: {},
  hasWall: false,
  uploadUrl: 'http://confetti.test/upload?eventId=66aa00000000000000000001',
  createdAt: '2027-05-01T10:00:00.000Z',
}
