import type { EventCopy } from '@confetti/contracts'
import { tooManyRequests } from '@confetti/service-kit'
import { expect, test } from '@jest/globals'
import type { Deps } from '../deps.ts'
import { createArchives } from './archives.ts'

const now = new Date('2026-06-20T18:00:00Z')
const event = { _id: 'a'.repeat(24), gallery: 'on', save: 'copy' } as EventCopy

const photoAt = (index: number) => ({
  _id: index.toString(16).padStart(24, '0'),
  contentType: 'image/jpeg',
  photoCredit: 'Ann',
  uploadedAt: now,
  copy: { size: 1, crc32: 1 },
  capture: { capturedAt: now, captureZone: 'UTC' },
})

/** Archives of an event with `photos`, and what its limits counted. */
const openArchives = (photos: number, maxPages = Infinity) => {
  const counted: Record<string, number> = {}
  const limiter = (name: string, points = Infinity) => {
    const consume = (key: string, consumed = 1): Promise<void> => {
      const count = (counted[`${name} ${key}`] ?? 0) + consumed
      if (count > points) return Promise.reject(tooManyRequests('Too many.', 1))
      counted[`${name} ${key}`] = count
      return Promise.resolve()
    }
    return { consume, check: (key: string) => consume(key, 1).then(() => consume(key, -1)) }
  }
  let lists = 0
  const { createOfCopies } = createArchives({
    config: { TICKET_SECRET: ['a secret'], ARCHIVE_LINK_LIFE_MS: 60_000 },
    clock: () => now,
    events: { get: () => Promise.resolve(event) },
    uploads: {
      listSaveable: () => {
        lists += 1
        return Promise.resolve(Array.from({ length: photos }, (_, index) => photoAt(index)))
      },
    },
    archives: { save: (archive: unknown) => Promise.resolve(archive) },
    guestLimits: {
      archives: {
        guests: limiter('guest'),
        withoutToken: limiter('no token'),
        addresses: limiter('address'),
        pagesOfEvents: limiter('pages', maxPages),
      },
    },
  } as unknown as Deps)
  const create = (guestId?: string) =>
    createOfCopies(event._id, { mine: false }, { guestId, address: '::1', baseUrl: 'http://api' })
  return { create, counted, listsRead: () => lists }
}

test('When guests make archives, then they count for each guest, for the address also with a token, and by pages for the event', async () => {
  const { create, counted } = openArchives(501)
  for (const guestId of ['ann', 'ben', undefined]) await create(guestId)
  expect(counted).toEqual({
    'guest ann': 1,
    'guest ben': 1,
    'no token ::1': 1,
    'address ::1': 3,
    [`pages ${event._id}`]: 6,
  })
})

test('When guests, each new, have made as many lists of an event as may be stored, then a further one reads nothing', async () => {
  const { create, listsRead } = openArchives(501, 4)
  await create('ann')
  await create('ben')
  await expect(create('new')).rejects.toMatchObject({ kind: 'too_many_requests' })
  expect(listsRead()).toBe(2)
})
