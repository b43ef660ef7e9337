import {
  createEventCopies,
  createEventCopyModel,
  readEventCopy,
  type ErasedIds,
  type EventDocument,
} from '@confetti/service-kit'
import type { Connection } from 'mongoose'
import { firstNoticeAt } from '../notices/deletion-notices.ts'
import type { DueEvent, EventStore } from '../recipients/recipients.ts'

type NoticeDocument = EventDocument & { deleteAt?: Date | null; noticeDueAt?: Date | null }

/**
 * The local copy of events, updated by `event.*` messages, with `noticeDueAt`: when the next notice of their deletion is due.
 * Creates its indexes.
 */
export const createEventStore = async (connection: Connection, erasedIds: ErasedIds): Promise<EventStore> => {
  const model = createEventCopyModel(connection, { noticeDueAt: { type: Date, index: true } })
  await model.createIndexes()
  const copies = createEventCopies(model, erasedIds)
  return {
    find: async (eventId) => {
      const document = await model.findById(eventId).lean<NoticeDocument>()
      return document ? readEventCopy(document) : undefined
    },

    save: async (event) => {
      const stored = await model.findById(event._id).lean<NoticeDocument>()
      const deleteAt = event.deleteAt === undefined ? undefined : new Date(event.deleteAt)
      // What was sent for a date is not sent again when something else of the event changes.
      const isSameDate = stored?.deleteAt?.getTime() === deleteAt?.getTime()
      const noticeDueAt = isSameDate
        ? (stored?.noticeDueAt ?? undefined)
        : deleteAt && firstNoticeAt(deleteAt)
      return copies.save(event, { noticeDueAt })
    },

    erase: copies.erase,

    listDue: async (now, limit) => {
      const documents = await model
        .find({ noticeDueAt: { $lte: now } })
        .limit(limit)
        .lean<NoticeDocument[]>()
      return documents.flatMap((document): DueEvent[] => {
        const { deleteAt, noticeDueAt } = document
        return deleteAt && noticeDueAt ? [{ ...readEventCopy(document), deleteAt, noticeDueAt }] : []
      })
    },

    setNextNotice: async ({ _id, deleteAt, noticeDueAt }, at) => {
      await model.updateOne(
        { _id, deleteAt, noticeDueAt },
        at ? { $set: { noticeDueAt: at } } : { $unset: { noticeDueAt: 1 } },
      )
    },
  }
}
