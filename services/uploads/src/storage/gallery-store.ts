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

/** What guests can see, and have reported. */
export const createGalleryStore = (model: UploadModel, change: ChangeUpload) => ({
  /** An upload of this event that guests can see and that has been processed. */
  findVisible: async (eventId: string, id: string): Promise<StoredUpload | undefined> => {
    const shown = { _id: id, eventId, status: 'ready', visibility: null, deleted: false } as const
    const document = await model.findOne(shown, withoutOutbox).lean()
    return document ? toStoredUpload(document) : undefined
  },

  /** One page of an event's uploads that guests can see and that have been processed, newest first. */
  listVisible: (eventId: string, request: PageRequest): Promise<UploadPage> =>
    findUploadPage(model, { eventId, deleted: false, status: 'ready', visibility: null }, request),

  /**
   * Counts the report of a guest, once each, about an upload that guests can see. With the last one of `maxReports` it
   * becomes pending, together with its `upload.changed` message, unless an organiser has shown it after a report.
   */
  report: async (
    eventId: string,
    id: string,
    { guestId, maxReports }: { guestId: string; maxReports: number },
  ): Promise<'counted' | 'pending' | 'ignored' | 'not_found'> => {
    const shown = { _id: id, eventId, status: 'ready', visibility: null, deleted: false } as const
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
