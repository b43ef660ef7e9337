import type { GalleryCredit } from '@confetti/contracts'
import { addToOutbox } from '@confetti/messaging'
import type { PageRequest } from '@confetti/service-kit'
import type { StoredUpload } from '../upload.ts'
import { changedMessage, type ChangeUpload } from './change-upload.ts'
import {
  findUploadPage,
  toStoredUpload,
  withoutOutbox,
  type UploadModel,
  type UploadPage,
} from './upload-model.ts'

/** What guests can see of an event. */
const visibleIn = (eventId: string) =>
  ({ eventId, deleted: false, status: 'ready', visibility: null }) as const

/** What guests can see, and have reported. */
export const createGalleryStore = (model: UploadModel, change: ChangeUpload) => ({
  /** An upload of this event that guests can see and that has been processed. */
  findVisible: async (eventId: string, id: string): Promise<StoredUpload | undefined> => {
    const shown = { _id: id, ...visibleIn(eventId) }
    const document = await model.findOne(shown, withoutOutbox).lean()
    return document ? toStoredUpload(document) : undefined
  },

  /**
   * One page of an event's uploads that guests can see and that have been processed, newest first; with `photoCredit` only
   * those of this name.
   */
  listVisible: (eventId: string, request: PageRequest, photoCredit?: string): Promise<UploadPage> => {
    const ofCredit = photoCredit !== undefined && { photoCredit }
    return findUploadPage(model, { ...visibleIn(eventId), ...ofCredit }, request)
  },

  /** The names under which an event has such uploads, and how many of each. */
  countVisible: async (eventId: string): Promise<GalleryCredit[]> => {
    const counts = await model.aggregate<{ _id: string; files: number }>([
      { $match: visibleIn(eventId) },
      { $group: { _id: '$photoCredit', files: { $sum: 1 } } },
    ])
    return counts.map(({ _id, files }) => ({ photoCredit: _id, files }))
  },

  /**
   * Counts the report of a guest, once each, about an upload that guests can see. With the last one of `maxReports` it
   * becomes pending, together with its `upload.changed` message, unless an organiser has shown it after a report.
   */
  report: async (
    eventId: string,
    id: string,
    { guestId, maxReports }: { guestId: string; maxReports: number },
  ): Promise<'counted' | 'pending' | 'ignored' | 'not_found'> => {
    const shown = { _id: id, ...visibleIn(eventId) }
    const outcome = await change<'counted' | 'pending' | 'ignored'>(shown, (upload) => {
      const { reports = [], isReportReviewed } = upload
      if (isReportReviewed || reports.includes(guestId)) return { result: 'ignored' }
      const all = [...reports, guestId]
      if (all.length < maxReports) return { result: 'counted', update: { $set: { reports: all } } }
      const visibility = 'pending'
      return {
        result: 'pending',
        update: addToOutbox({ reports: all, visibility }, changedMessage(upload, { visibility })),
      }
    })
    return outcome ?? 'not_found'
  },
})
