import type { EventCopy } from '@confetti/contracts'
import { eventNotFound, issuePass, withCaller, type AppError } from '@confetti/service-kit'
import { expect, test } from '@jest/globals'
import type { Deps } from '../deps.ts'
import { createEvents } from '../events.ts'
import { createArchives } from './archives.ts'
import type { Archive } from './entries.ts'

const now = new Date('2026-06-20T18:00:00Z')
const event: EventCopy = {
  _id: 'a'.repeat(24),
  eventFor: 'b'.repeat(24),
  organisers: [],
  uploadsCloseAt: '2026-06-21T18:00:00.000Z',
  gallery: 'on',
  save: 'copy',
  revision: 0,
}

/** Makes an archive for a guest with this pass, and meanwhile something else happens. Returns how often archives were removed. */
const makeArchive = async (
  pass: string | undefined,
  meanwhile: (event: EventCopy) => EventCopy | undefined,
) => {
  let copy: EventCopy | undefined = event
  let removals = 0
  const config = {
    TICKET_SECRET: ['a secret'],
    ARCHIVE_LINK_LIFE_MS: 60_000,
    EVENTS_URL: 'http://127.0.0.1:1',
  }
  const clock = () => now
  // Without a copy, as if the events service had been asked, too.
  const find = () => (copy ? Promise.resolve(copy) : Promise.reject(eventNotFound()))
  const photo = {
    _id: 'c'.repeat(24),
    contentType: 'image/jpeg',
    photoCredit: 'Ann',
    uploadedAt: now,
    copy: { size: 1, crc32: 1 },
    capture: { capturedAt: now, captureZone: 'UTC' },
  }
  const limiter = { consume: () => Promise.resolve(), check: () => Promise.resolve() }
  const { createOfCopies } = createArchives({
    config,
    clock,
    events: createEvents({ find, save: () => Promise.resolve(true) }, { config: config as never, clock }),
    uploads: { listSaveable: () => Promise.resolve([photo]) },
    archives: {
      save: (archive: Archive) => {
        copy = meanwhile(event)
        return Promise.resolve(archive)
      },
      removeOfEvent: () => {
        removals += 1
        return Promise.resolve()
      },
    },
    guestLimits: { archives: { withoutToken: limiter, addresses: limiter, pagesOfEvents: limiter } },
  } as unknown as Deps)
  const caller = { address: '::1', proof: { pass, findPrincipal: () => Promise.resolve(undefined) } }
  const outcome = await withCaller(caller, () =>
    createOfCopies(
      event._id,
      { mine: false },
      { guestId: undefined, address: '::1', baseUrl: 'http://api' },
    ).then(
      ({ files }) => files,
      (error: unknown) => (error as AppError).code,
    ),
  )
  return { outcome, removals }
}

const pinned = (): EventCopy => ({ ...event, pinHash: '1'.repeat(64) })
const deleted = (): undefined => undefined

test.each([
  ['nothing else happens', undefined, () => event, { outcome: 1, removals: 0 }],
  ['a PIN is set', undefined, pinned, { outcome: 'pin_required', removals: 0 }],
  [
    'a PIN is set that the pass is not for, and the events service is down',
    issuePass(event._id, '2'.repeat(64), now).pass,
    pinned,
    { outcome: 'unavailable', removals: 0 },
  ],
  ['the event is deleted', undefined, deleted, { outcome: 'event_not_found', removals: 1 }],
])(
  'When an archive is made for a guest and meanwhile %s, then archives of the event are removed only with the event',
  async (_, pass, meanwhile, expected) => {
    expect(await makeArchive(pass, meanwhile)).toEqual(expected)
  },
)
