import { expect, test } from '@jest/globals'
import { guestQuotaUsedUp } from '../rejections.ts'
import type { NewUpload } from '../upload.ts'
import { createAdmission } from './admission.ts'

test('When a file does not fit and another does, then that one is stored, although a limit counts what it refuses', async () => {
  let used = 0
  const admit = createAdmission({
    findOpenEvent: () => Promise.resolve({ _id: 'a'.repeat(24), moderation: 'off' } as never),
    quotas: {
      reserve: async (_, bytes) => {
        used += bytes
        await Promise.resolve()
        if (used <= 300) return () => undefined
        used -= bytes
        throw guestQuotaUsedUp()
      },
    },
    uploads: {
      add: (uploads: readonly NewUpload[]) =>
        Promise.resolve(uploads.map((upload) => ({ upload, duplicate: false, isNew: true }) as never)),
      addOwners: () => Promise.resolve(false),
      findByIds: () => Promise.resolve([]),
      findByHash: () => Promise.resolve([]),
    },
  })
  const candidate = (size: number) =>
    ({
      upload: { _id: String(size), size },
      sender: { limitSubject: 'guest:1' },
      begunAt: new Date(),
    }) as never
  const outcomes = await admit([candidate(400), candidate(5)])
  expect(outcomes.map((outcome) => ('error' in outcome ? outcome.error.code : 'stored'))).toEqual([
    'quota_exceeded',
    'stored',
  ])
})
