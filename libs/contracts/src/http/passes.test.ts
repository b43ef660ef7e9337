import { expect, test } from '@jest/globals'
import type { RouteContract } from '../route-contract.ts'
import { publicRoutes, serviceRoutes } from '../routes.ts'
import { normalisePin } from './passes.ts'

test.each([
  'tulip42',
  'TULIP42',
  ' Tulip 42 ',
  '\uff34ulip\uff14\uff12',
  'Tulip\u0664\u0662',
  'Tulip\u06f4\u06f2',
])('When a PIN is typed as %j, then it is the same', (typed) => {
  expect(normalisePin(typed)).toBe('tulip42')
})

/** Why routes that are open without an account need no pass for an event with a PIN. */
const reasons: Readonly<Record<string, string>> = {
  createEventPass: 'it gives the pass',
  completeUploads: 'a ticket was given to who had a pass, and what was sent with it is not lost',
  resumeUploads: 'as completions',
  downloadArchive: 'its link was given to who had a pass, and ends after a day',
  listWall: 'its link has a key of its own, which organisers give to a screen',
  followEvent: 'it is for members, and for the live wall by its key',
  getOwnLink:
    'it says no more than the event of a key with 256 random bits; what that has was asked with a pass',
  findEventByCode: 'it says no more than the id of an event',
  openShortLink: 'as codes',
  previewShortLink: 'a preview shows what the events service answers without a pass: name and language',
  previewEvent: 'as short links',
  getPreviewPicture: 'as short links; without a pass, there is no cover in that answer',
}
/** Routes of these services are about accounts and members, not about what guests see. */
const othersServices = ['auth', 'contact', 'notifications'] as const
const isAboutOther = (id: string): boolean =>
  id === 'reportClientError' || othersServices.some((service) => id in serviceRoutes[service])

test('When a route is open without an account, then it needs the pass of an event with a PIN, or it is known why not', () => {
  const open = Object.entries<RouteContract>(publicRoutes).filter(
    ([id, { access }]) => (access === 'anyone' || access.startsWith('guest')) && !isAboutOther(id),
  )
  const undecided = open.filter(([id, { needsPass }]) => needsPass !== (reasons[id] ? undefined : true))
  expect(undecided.map(([id]) => id)).toEqual([])
  const ids = open.map(([id]) => id)
  expect(Object.keys(reasons).filter((id) => !ids.includes(id))).toEqual([])
  expect(open.length).toBeGreaterThan(25)
})
