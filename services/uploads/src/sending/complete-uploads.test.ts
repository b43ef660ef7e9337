import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import type { Deps } from '../deps.ts'
import type { ArrivedUpload } from '../upload.ts'
import { createCompletion } from './complete-uploads.ts'
import type { Ticket } from './tickets.ts'

beforeAll(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] })
})
afterAll(() => {
  jest.useRealTimers()
})

const isHashed = (uploadId: string) => uploadId.startsWith('hashed')

/** A completion of one photo, declared with each of `tickets`, of which uploads has another; only some are ever hashed. */
const completeAll = async (tickets: Pick<Ticket, 'uploadId' | 'sha256'>[]) => {
  const head = await readFile(new URL('../../../../samples/gradient.png', import.meta.url))
  const sent = tickets.map(({ uploadId, sha256 }) => ({
    uploadId,
    eventId: 'a'.repeat(24),
    photoCredit: 'Table 4',
    originalName: 'photo.png',
    size: head.length,
    issuedAt: new Date(),
    limitSubject: { kind: 'guest', id: '1' } as const,
    ...(sha256 && { sha256 }),
  }))
  const deps = {
    clock: () => new Date(),
    logger: { info: () => undefined },
    metrics: {
      phase: (_: string, work: () => Promise<unknown>) => work(),
      stored: () => undefined,
      ticketAge: () => undefined,
    },
    events: { get: (_id: string) => Promise.resolve({ _id, uploadsCloseAt: '2100-01-01' }) },
    uploads: {
      findAdded: () => Promise.resolve(new Map()),
      findByHash: (_: string, __: string, hashes: string[]) =>
        Promise.resolve(hashes.map((sha256) => ({ _id: 'other', sha256 }))),
    },
    blobs: {
      readOriginal: () => Promise.resolve({ head, size: head.length, etag: '1' }),
      hashOriginal: (id: string) =>
        isHashed(id) ? Promise.resolve('computed') : new Promise(() => undefined),
    },
  }
  const accept = (arrived: readonly { upload: ArrivedUpload }[]) =>
    Promise.resolve(arrived.map(({ upload }) => ({ upload, kind: 'new' })))
  const complete = createCompletion(deps as unknown as Deps, {
    tickets: { read: () => sent.map((ticket) => ({ ticket })) } as never,
    openTickets: { close: () => Promise.resolve() } as never,
    acceptUploads: accept as never,
  })
  const outcome = complete(sent.map(({ uploadId }) => uploadId))
  outcome.catch(() => undefined)
  await jest.advanceTimersByTimeAsync(11_000)
  return outcome
}

test('When others’ files keep possible duplicates from being hashed, then all are stored after one wait, with the hash they declare', async () => {
  const ids = ['hashed', ...Array.from({ length: 24 }, (_, index) => `waits-${index}`)]
  const { uploads } = await completeAll(ids.map((uploadId) => ({ uploadId, sha256: 'declared' })))
  expect(uploads.map(({ uploadId, sha256 }) => [uploadId, sha256])).toEqual(
    ids.map((id) => [id, isHashed(id) ? 'computed' : 'declared']),
  )
})

test('When others’ files keep one without a hash from being hashed, then its completion is to be repeated', async () => {
  await expect(completeAll([{ uploadId: 'waits' }])).rejects.toMatchObject({
    kind: 'unavailable',
    retryAfterSeconds: 2,
  })
})
