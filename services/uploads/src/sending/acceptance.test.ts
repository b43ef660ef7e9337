import { expect, test } from '@jest/globals'
import type { Deps } from '../deps.ts'
import { guestQuotaUsedUp } from '../rejections.ts'
import type { NewUpload } from '../upload.ts'
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
      findByHash: () => Promise.resolve([]),
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
