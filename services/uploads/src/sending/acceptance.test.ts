import { newUploadId } from '@confetti/blob-storage'
import { expect, test } from '@jest/globals'
import { openMemoryUploads } from '../../test/memory-uploads.ts'
import type { Deps } from '../deps.ts'
import { eventClosed, eventFull, guestQuotaUsedUp } from '../rejections.ts'
import type { ArrivedUpload, NewUpload } from '../upload.ts'
import { createAcceptance } from './acceptance.ts'
import type { Quotas } from './quotas.ts'

test('When a file does not fit and another does, then that one is stored, although a limit counts what it refuses', async () => {
  let used = 0
  const quotas = {
    reserve: async (_: unknown, bytes: number) => {
      used += bytes
      await Promise.resolve()
      if (used <= 300) return () => undefined
      used -= bytes
      throw guestQuotaUsedUp()
    },
  }
  const deps = {
    events: { getOpen: () => Promise.resolve({ _id: 'a'.repeat(24), moderation: 'off' }) },
    uploads: {
      add: (uploads: readonly NewUpload[]) =>
        Promise.resolve(uploads.map((upload) => ({ upload, kind: 'new' }))),
      addOwners: () => Promise.resolve(false),
      findAdded: () => Promise.resolve(new Map()),
      findByContent: () => Promise.resolve(undefined),
    },
  }
  const accept = createAcceptance(deps as unknown as Deps, quotas as unknown as Quotas)
  const candidate = (size: number) =>
    ({
      upload: { _id: String(size), size },
      sender: { limitSubject: { kind: 'guest', id: '1' } },
      begunAt: new Date(),
    }) as never
  const outcomes = await accept([candidate(400), candidate(5)])
  expect(outcomes.map((outcome) => ('error' in outcome ? outcome.error.code : 'stored'))).toEqual([
    'quota_exceeded',
    'stored',
  ])
})

test('When an event is full or closed, then a file that it has is a duplicate as before, also while no hash is verified', async () => {
  const clock = () => new Date()
  const { model, uploads } = openMemoryUploads(clock)
  const eventId = 'a'.repeat(24)
  let left = 1
  const quotas = {
    reserve: () => {
      if (left === 0) return Promise.reject(eventFull())
      left -= 1
      return Promise.resolve(() => undefined)
    },
  }
  let isClosed = false
  const events = {
    getOpen: () =>
      isClosed ? Promise.reject(eventClosed()) : Promise.resolve({ _id: eventId, timeZone: 'Europe/Berlin' }),
  }
  const accept = createAcceptance({ uploads, events } as unknown as Deps, quotas as unknown as Quotas)
  const send = async (identity: Partial<ArrivedUpload>) => {
    const file = { originalName: 'a.jpg', contentType: 'image/jpeg', size: 1, sha256: 'declared' } as const
    const times = { uploadedAt: clock(), lastModified: 0 }
    const upload = { _id: newUploadId(eventId, clock()), eventId, photoCredit: 'Anna', ...file, ...times }
    const sender = { limitSubject: { kind: 'guest', id: 'anna' } } as const
    const [outcome] = await accept([{ upload: { ...upload, ...identity }, sender, begunAt: clock() }])
    if (!outcome) throw new Error('no outcome')
    return 'error' in outcome ? outcome.error.code : `${outcome.kind} of ${outcome.upload.originalName}`
  }
  expect(await send({ provisionalIdentity: 'md5' })).toBe('new of a.jpg')
  expect(await send({ provisionalIdentity: 'md5', originalName: 'b.jpg' })).toBe('duplicate of a.jpg')
  expect(await send({ provisionalIdentity: 'another' })).toBe('quota_exceeded')

  isClosed = true
  expect(await send({ provisionalIdentity: 'md5' })).toBe('duplicate of a.jpg')
  expect(await send({ provisionalIdentity: 'another' })).toBe('event_closed')
  const [stored] = await model.find().lean()
  await uploads.takeBack(String(stored?._id), 'anna', clock())
  expect(await send({ provisionalIdentity: 'md5' })).toBe('event_closed')
  isClosed = false
  expect(await send({ provisionalIdentity: 'md5' })).toBe('duplicate of a.jpg')
})
