import type { EventSummary } from '@confetti/contracts'
import { newMessage, withOutbox } from '@confetti/messaging'
import { Types } from 'mongoose'
import type { Phase } from '../domain/calendar.ts'
import type { EventDocument, EventModel } from './event-model.ts'

export interface StoredEvent {
  _id: string
  name: string
  description: string
  startDate: string
  endDate: string
  eventFor: { _id: string; email: string }
  uploadsCloseAt: Date
  createdAt: Date
}

/** What other services need to know of an event. */
export const summaryOf = (event: StoredEvent): EventSummary => ({
  _id: event._id,
  eventFor: event.eventFor._id,
  uploadsCloseAt: event.uploadsCloseAt.toISOString(),
})

const toEvent = (document: EventDocument): StoredEvent => ({
  _id: document._id.toHexString(),
  name: document.name,
  description: document.description,
  startDate: document.startDate,
  endDate: document.endDate,
  eventFor: { _id: document.organiserId, email: document.organiserEmail },
  uploadsCloseAt: document.uploadsCloseAt,
  createdAt: document.createdAt,
})

const soonestFirst = { startDate: 1, _id: 1 } as const
const latestFirst = { startDate: -1, _id: -1 } as const

export const createEventStore = (model: EventModel, { onOutbox }: { onOutbox: () => void }) => ({
  /** Keeps a new event, and in the same write what the others are to be told. */
  create: async (fields: Omit<StoredEvent, '_id'>): Promise<StoredEvent> => {
    const { eventFor, ...rest } = fields
    const _id = new Types.ObjectId()
    const event: StoredEvent = { _id: _id.toHexString(), ...fields }
    await model.create({
      _id,
      ...rest,
      organiserId: eventFor._id,
      organiserEmail: eventFor.email,
      ...withOutbox(newMessage('event.created.v1', summaryOf(event))),
    })
    onOutbox()
    return event
  },

  find: async (id: string): Promise<StoredEvent | undefined> => {
    const document = await model.findById(id).lean()
    return document ? toEvent(document) : undefined
  },

  listByPhase: async (phase: Phase, today: string): Promise<StoredEvent[]> => {
    const filters = {
      active: { startDate: { $lte: today }, endDate: { $gte: today } },
      upcoming: { startDate: { $gt: today } },
      past: { endDate: { $lt: today } },
    }
    const documents = await model
      .find(filters[phase])
      .sort(phase === 'past' ? latestFirst : soonestFirst)
      .lean()
    return documents.map(toEvent)
  },

  listOf: async (organiserId: string): Promise<StoredEvent[]> => {
    const documents = await model.find({ organiserId }).sort(latestFirst).lean()
    return documents.map(toEvent)
  },
})
export type EventStore = ReturnType<typeof createEventStore>
