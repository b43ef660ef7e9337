import type { Clock } from '@confetti/service-kit'
import type { UploadMetrics } from '../upload-metrics.ts'
import { makeFindOwnEvent, type FindEvent } from './find-event.ts'
import { uploadNotFound } from './rejections.ts'
import type { UploadStore } from './upload.ts'

interface Deps {
  uploads: Pick<UploadStore, 'markDeleted'>
  clock: Clock
}

/** Deletes an upload: it disappears from all lists at once, and the media worker removes its blobs. Throws `notFound`. */
export const makeDeleteUpload =
  ({ uploads, clock }: Deps) =>
  async (uploadId: string): Promise<void> => {
    if (!(await uploads.markDeleted(uploadId, clock(), { isAudited: true }))) throw uploadNotFound()
  }
export type DeleteUpload = ReturnType<typeof makeDeleteUpload>

/** Does the same for an organiser of its event. Throws `notFound` also for another event or another organiser's. */
export const makeDeleteMyUpload = ({ findEvent, uploads, clock }: Deps & { findEvent: FindEvent }) => {
  const findOwnEvent = makeFindOwnEvent(findEvent)
  return async (organiserId: string, eventId: string, uploadId: string): Promise<void> => {
    const event = await findOwnEvent(organiserId, eventId)
    const owner = { eventId: event._id }
    if (!(await uploads.markDeleted(uploadId, clock(), { isAudited: true, owner }))) throw uploadNotFound()
  }
}
export type DeleteMyUpload = ReturnType<typeof makeDeleteMyUpload>

interface GuestDeps {
  uploads: Pick<UploadStore, 'takeBack'>
  clock: Clock
  metrics: Pick<UploadMetrics, 'takenBack'>
}

/**
 * Takes an upload back for a guest who has sent it: it disappears from this guest's list, and when the last of those who
 * have sent it takes it back, it is deleted. Throws `notFound` for everyone else.
 */
export const makeDeleteGuestUpload =
  ({ uploads, clock, metrics }: GuestDeps) =>
  async (guestId: string | undefined, uploadId: string): Promise<void> => {
    const isTakenBack = guestId !== undefined && (await uploads.takeBack(uploadId, guestId, clock()))
    if (!isTakenBack) throw uploadNotFound()
    metrics.takenBack()
  }
export type DeleteGuestUpload = ReturnType<typeof makeDeleteGuestUpload>
