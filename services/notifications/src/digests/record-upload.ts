// The module alone, because the rest of the package loads the SDK of blob storage.
import { readTime } from '@confetti/blob-storage/upload-id'
import type { Clock, ErasedIds } from '@confetti/service-kit'
import type { DigestStore, NewUploadStore } from './stores.ts'

interface Deps {
  newUploads: Pick<NewUploadStore, 'add' | 'removeOfEvent'>
  digests: Pick<DigestStore, 'plan' | 'removeOfEvent'>
  erasedIds: Pick<ErasedIds, 'has'>
  clock: Clock
  intervalMs: number
  /** How long an upload is remembered. */
  retentionMs: number
  isMailOn: boolean
}

const MAX_PLANNED = 1_000
const RECHECK_MS = 1_000
// Longer than the clocks of two replicas differ.
const MIN_REMAINING_MS = 60_000

/** Records an upload for the next digest of its event, which becomes due `intervalMs` after the first one. */
export const createRecordUpload = ({
  newUploads,
  digests,
  erasedIds,
  clock,
  intervalMs,
  retentionMs,
  isMailOn,
}: Deps) => {
  // In a burst, a query for the digest of each upload would cost more than the rest.
  const planned = new Map<string, { dueAt: number; checkedAt: number }>()

  const plan = async (eventId: string): Promise<void> => {
    const now = clock().getTime()
    const known = planned.get(eventId)
    if (known && now - known.checkedAt < RECHECK_MS && known.dueAt - now > MIN_REMAINING_MS) return
    if (planned.size >= MAX_PLANNED) planned.clear()
    const dueAt = await digests.plan(eventId, new Date(now + intervalMs))
    planned.set(eventId, { dueAt: dueAt.getTime(), checkedAt: now })
  }

  return async (upload: { uploadId: string; eventId: string; contentType: string }): Promise<void> => {
    if (!isMailOn) return
    const { uploadId, eventId, contentType } = upload
    // Its processing is requested again, and that it was reported is no longer recorded.
    if (readTime(uploadId) < clock().getTime() - retentionMs) return
    await newUploads.add({ _id: uploadId, eventId, isVideo: contentType.startsWith('video/') })
    // Also for an upload that was recorded before: its plan may have failed then.
    await plan(eventId)
    // Only now: an erasure that begins after this check finds both.
    if (await erasedIds.has(eventId)) {
      planned.delete(eventId)
      await newUploads.removeOfEvent(eventId)
      await digests.removeOfEvent(eventId)
    }
  }
}
