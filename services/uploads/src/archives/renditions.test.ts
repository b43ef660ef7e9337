import { expect, test } from '@jest/globals'
import type { Deps } from '../deps.ts'
import { createArchives } from './archives.ts'

const now = new Date('2026-06-20T18:00:00Z')
const event = { _id: 'a'.repeat(24), gallery: 'on', save: 'copy' }
const videoAt = (index: number) => ({
  _id: index.toString(16).padStart(24, '0'),
  contentType: 'video/mp4',
  photoCredit: 'Ann',
  uploadedAt: now,
  hasRendition: true,
  capture: { capturedAt: now, captureZone: 'UTC' },
})
type Video = ReturnType<typeof videoAt> & { copy?: object }

/** Archives of an event with videos of an earlier version; of those in `lost` blob storage has no rendition. */
const openArchives = (count: number, lost: (index: number) => boolean) => {
  const videos: Video[] = Array.from({ length: count }, (_, index) => videoAt(index))
  const change = (id: string, changes: Partial<Video>): Promise<void> => {
    Object.assign(videos.find(({ _id }) => _id === id) ?? {}, changes)
    return Promise.resolve()
  }
  const measured: string[] = []
  const limiter = {
    consume: () => Promise.resolve(),
    refund: () => Promise.resolve(),
    check: () => Promise.resolve(),
  }
  const { createOfCopies } = createArchives({
    config: { TICKET_SECRET: ['a secret'], ARCHIVE_LINK_LIFE_MS: 60_000 },
    clock: () => now,
    events: { get: () => Promise.resolve(event) },
    uploads: {
      listSaveable: () => Promise.resolve(videos.map((video) => ({ ...video }))),
      setRenditionFile: (id: string, copy: object) => change(id, { copy }),
      requestLostRendition: (id: string) => change(id, { hasRendition: false }),
    },
    blobs: {
      measureRendition: async (id: string) => {
        measured.push(id)
        await new Promise(setImmediate)
        return lost(Number.parseInt(id, 16)) ? undefined : { size: 1, crc32: 1 }
      },
    },
    archives: { save: (archive: unknown) => Promise.resolve(archive) },
    guestLimits: {
      archives: { guests: limiter, withoutToken: limiter, addresses: limiter, pagesOfEvents: limiter },
    },
  } as unknown as Deps)
  const create = () =>
    createOfCopies(event._id, { mine: false }, { guestId: 'ann', address: '::1', baseUrl: 'http://api' })
  return { create, measured }
}
const preparing = { code: 'archive_preparing' }

test('When renditions are missing in blob storage, then the archive has the others', async () => {
  const { create } = openArchives(7, (index) => index < 6)
  await expect(create()).rejects.toMatchObject(preparing)
  await expect(create()).rejects.toMatchObject(preparing)
  expect(await create()).toMatchObject({ files: 1 })
})

test('When two ask for an archive at once, then its renditions are measured once', async () => {
  const { create, measured } = openArchives(2, () => false)
  const calls = await Promise.allSettled([create(), create()])
  expect(calls).toMatchObject([{ reason: preparing }, { reason: preparing }])
  expect(measured).toHaveLength(2)
  expect(await create()).toMatchObject({ files: 2 })
})
