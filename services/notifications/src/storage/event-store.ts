import { pickDefined, saveCopy } from '@confetti/service-kit'
import { Schema, type Connection } from 'mongoose'
import { firstNoticeAt } from '../notices/deletion-notices.ts'
import type { DueEvent, Event, EventStore } from '../recipients/stores.ts'

interface EventDocument {
  _id: string
  name?: string
  timeZone?: string
  organisers: string[]
  deleteAt?: Date
  /** When the next notice of the deletion is due. */
  noticeDueAt?: Date
  revision: number
}

/** The local copy of events, updated by `event.*` messages. */
export const createEventModel = (connection: Connection) => {
  const schema = new Schema<EventDocument>({
    _id: { type: String, required: true },
    name: { type: String },
    timeZone: { type: String },
    organisers: { type: [String], required: true },
    deleteAt: { type: Date },
    noticeDueAt: { type: Date },
    revision: { type: Number, required: true },
  })
  schema.index({ noticeDueAt: 1 })
  return connection.model<EventDocument>('Event', schema)
}
type EventModel = ReturnType<typeof createEventModel>

const toEvent = (document: EventDocument): Event =>
  pickDefined(document, ['_id', 'name', 'timeZone', 'organisers', 'deleteAt'])

export const createEventStore = ({ model }: { model: EventModel }): EventStore => ({
  find: async (eventId) => {
    const document = await model.findById(eventId).lean<EventDocument>()
    return document ? toEvent(document) : undefined
  },

  save: async ({ _id, name, timeZone, organisers, deleteAt }, revision) => {
    const stored = await model.findById(_id).lean<EventDocument>()
    // What was sent for a date is not sent again when something else of the event changes.
    const isSameDate = stored?.deleteAt?.getTime() === deleteAt?.getTime()
    const noticeDueAt = isSameDate ? stored?.noticeDueAt : deleteAt && firstNoticeAt(deleteAt)
    const fields = { name, timeZone, deleteAt, noticeDueAt }
    const set = pickDefined(fields, ['name', 'timeZone', 'deleteAt', 'noticeDueAt'])
    const unset = Object.fromEntries(
      Object.keys(fields)
        .filter((field) => !(field in set))
        .map((field) => [field, 1]),
    )
    await saveCopy(model, _id, revision, {
      $set: { ...set, organisers },
      ...(Object.keys(unset).length > 0 && { $unset: unset }),
    })
  },

  remove: async (eventId) => {
    await model.deleteOne({ _id: eventId })
  },

  listDue: async (now, limit) => {
    const documents = await model
      .find({ noticeDueAt: { $lte: now } })
      .limit(limit)
      .lean<EventDocument[]>()
    return documents.flatMap((document): DueEvent[] => {
      const { deleteAt, noticeDueAt } = document
      return deleteAt && noticeDueAt ? [{ ...toEvent(document), deleteAt, noticeDueAt }] : []
    })
  },

  setNextNotice: async ({ _id, deleteAt, noticeDueAt }, at) => {
    await model.updateOne(
      { _id, deleteAt, noticeDueAt },
      at ? { $set: { noticeDueAt: at } } : { $unset: { noticeDueAt: 1 } },
    )
  },
})
