import { eventDetailFields } from '@confetti/contracts'
import { newMessage, newOutbox } from '@confetti/messaging'
import { pickDefined } from '@confetti/service-kit'
import { Types } from 'mongoose'
import type { EventStore, StoredEvent } from '../domain/event.ts'
import { toSummary } from '../domain/event-views.ts'
import type { EventDocument, EventModel } from './event-model.ts'

const toStoredEvent = (document: EventDocument): StoredEvent => ({
  ...pickDefined(document, eventDetailFields),
  _id: document._id.toHexString(),
  eventFor: { _id: document.organiserId, email: document.organiserEmail },
  uploadsCloseAt: document.uploadsCloseAt,
  createdAt: document.createdAt,
})

const soonestFirst = { startDate: 1, _id: 1 } as const
const latestFirst = { startDate: -1, _id: -1 } as const

export const createEventStore = ({
  model,
  wakeRelay,
}: {
  model: EventModel
  wakeRelay: () => void
}): EventStore => ({
  create: async (fields) => {
    const { eventFor, ...rest } = fields
    const _id = new Types.ObjectId()
    const event: StoredEvent = { _id: _id.toHexString(), ...fields }
    await model.create({
      _id,
      ...rest,
      organiserId: eventFor._id,
      organiserEmail: eventFor.email,
      ...newOutbox(newMessage('event.created.v1', toSummary(event))),
    })
    wakeRelay()
    return event
  },

  find: async (id) => {
    const document = await model.findById(id).lean()
    return document ? toStoredEvent(document) : undefined
  },

  listByPhase: async (phase, today) => {
    const filters = {
      active: { startDate: { $lte: today }, endDate: { $gte: today } },
      upcoming: { startDate: { $gt: today } },
      past: { endDate: { $lt: today } },
    }
    const documents = await model
      .find(filters[phase])
      .sort(phase === 'past' ? latestFirst : soonestFirst)
      .lean()
    return documents.map(toStoredEvent)
  },

  listByOrganiser: async (organiserId) => {
    const documents = await model.find({ organiserId }).sort(latestFirst).lean()
    return documents.map(toStoredEvent)
  },
})
