import { randomBytes } from 'node:crypto'
import { eventDetailFields } from '@confetti/contracts'
import { addToOutbox, auditMessage, newMessage, newOutbox } from '@confetti/messaging'
import { pickDefined } from '@confetti/service-kit'
import { Types } from 'mongoose'
import { describeChange } from '../domain/describe-change.ts'
import type { EventStore, StoredEvent } from '../domain/event.ts'
import { toSummary } from '../domain/event-views.ts'
import { notBeforeClosing, type EventDefaults } from '../domain/schedule.ts'
import type { EventDocument, EventModel } from './event-model.ts'

const organisersOf = ({ organisers, organiserId, organiserEmail }: EventDocument) =>
  organisers ?? (organiserId ? [{ _id: organiserId, email: organiserEmail ?? '' }] : [])

const toStoredEvent = (document: EventDocument): StoredEvent => ({
  ...pickDefined(document, eventDetailFields),
  _id: document._id.toHexString(),
  organisers: organisersOf(document),
  settings: document.settings ?? {},
  uploadsCloseAt: document.uploadsCloseAt,
  // Earlier versions have stored earlier times.
  deleteAt: notBeforeClosing(document.deleteAt ?? undefined, document.uploadsCloseAt),
  createdAt: document.createdAt,
  usage: document.usage,
  wallKeyHash: document.wallKeyHash ?? undefined,
  revision: document.revision ?? 0,
})

/** The first organiser by itself, too: versions before 0.2 read only that one. */
const toFields = ({
  _id,
  usage: _usage,
  deleteAt = null,
  wallKeyHash = null,
  ...event
}: Omit<StoredEvent, 'deleteAt' | 'wallKeyHash'> & {
  deleteAt?: Date | null | undefined
  wallKeyHash?: string | null | undefined
}) => ({
  ...event,
  deleteAt,
  wallKeyHash,
  organiserId: event.organisers[0]?._id ?? null,
  organiserEmail: event.organisers[0]?.email ?? null,
})

/** What is not kept of a deleted event. */
const contentFields = [
  ...eventDetailFields,
  'organiserId',
  'organiserEmail',
  'organisers',
  'settings',
  'uploadsCloseAt',
  'deleteAt',
  'createdAt',
  'usage',
  'wallKeyHash',
] as const satisfies (keyof EventDocument)[]

const audit = (action: 'event.created' | 'event.deleted', id: string, details?: Pick<StoredEvent, 'name'>) =>
  auditMessage({ action, subject: { type: 'event', id }, eventId: id, details })

const existing = { deletedAt: null } as const
const soonestFirst = { startDate: 1, createdAt: 1, _id: 1 } as const
const latestFirst = { startDate: -1, createdAt: -1, _id: -1 } as const

/** All random: an id is the key to upload and gallery, and MongoDB's own consist of a time, a process and a counter. */
const newEventId = () => new Types.ObjectId(randomBytes(12))

export const createEventStore = ({
  model,
  defaults,
  wakeRelay,
}: {
  model: EventModel
  defaults: Pick<EventDefaults, 'timeZone'>
  wakeRelay: () => void
}): EventStore => ({
  create: async (fields) => {
    const _id = newEventId()
    const event: StoredEvent = { _id: _id.toHexString(), ...fields, revision: 0 }
    await model.create({
      ...toFields(event),
      _id,
      ...newOutbox(
        newMessage('event.created.v1', toSummary(event, defaults)),
        audit('event.created', event._id, { name: event.name }),
      ),
    })
    wakeRelay()
    return event
  },

  find: async (id) => {
    const document = await model.findOne({ _id: id, ...existing }).lean()
    return document ? toStoredEvent(document) : undefined
  },

  update: async (event, changes) => {
    const revision = event.revision + 1
    const changed = { ...event, ...changes, revision }
    const { matchedCount } = await model.updateOne(
      { _id: event._id, ...existing, revision: event.revision === 0 ? { $in: [0, null] } : event.revision },
      addToOutbox(
        toFields(changed),
        newMessage('event.changed.v1', { ...toSummary(changed, defaults), revision }),
        ...describeChange(event, changed).map(auditMessage),
      ),
    )
    if (matchedCount === 0) return undefined
    wakeRelay()
    return changed
  },

  setUsage: async (id, usage) => {
    const isNewer = { $or: [{ usage: null }, { 'usage.countedAt': { $lt: usage.countedAt } }] }
    await model.updateOne({ _id: id, ...existing, ...isNewer }, { $set: { usage } })
  },

  forgetUsage: async (id, at) => {
    await model.updateOne(
      { _id: id, ...existing, usage: { $ne: null } },
      { $set: { usage: { countedAt: at } } },
    )
  },

  listByPhase: async (phase, { earliest, latest }) => {
    const filters = {
      active: { startDate: { $lte: latest }, endDate: { $gte: earliest } },
      upcoming: { startDate: { $gt: earliest } },
      past: { endDate: { $lt: latest } },
    }
    const documents = await model
      .find({ ...filters[phase], ...existing })
      .sort(phase === 'past' ? latestFirst : soonestFirst)
      .lean()
    return documents.map(toStoredEvent)
  },

  listByOrganiser: async (organiserId) => {
    const documents = await model
      .find({ $or: [{ organiserId }, { 'organisers._id': organiserId }], ...existing })
      .sort(latestFirst)
      .lean()
    return documents.map(toStoredEvent)
  },

  listDue: async (now, limit) => {
    const documents = await model
      .find({ deleteAt: { $lte: now }, uploadsCloseAt: { $lte: now }, ...existing }, { _id: 1 })
      .limit(limit)
      .lean()
    return documents.map(({ _id }) => _id.toHexString())
  },

  markDeleted: async (id, at) => {
    const { matchedCount } = await model.updateOne(
      { _id: id, ...existing },
      {
        ...addToOutbox<EventDocument>(
          { deletedAt: at, erasureRequestedAt: at },
          newMessage('event.deleted.v1', { _id: id }),
          audit('event.deleted', id),
        ),
        $unset: Object.fromEntries(contentFields.map((field) => [field, ''])),
      },
    )
    if (matchedCount === 0) return false
    wakeRelay()
    return true
  },

  removeDeleted: async (id) => {
    const { deletedCount } = await model.deleteOne({
      _id: id,
      deletedAt: { $ne: null },
      outboxPending: false,
    })
    if (deletedCount === 0 && (await model.exists({ _id: id })))
      throw new Error('The event still has messages to publish')
  },

  findOldestDeletion: async () => {
    const document = await model
      .findOne({ deletedAt: { $ne: null } }, { deletedAt: 1 })
      .sort({ deletedAt: 1 })
      .lean()
    return document?.deletedAt
  },

  repeatDeletions: async (before, now, limit) => {
    const documents = await model
      .find({ erasureRequestedAt: { $lt: before }, outboxPending: false }, { _id: 1 })
      .limit(limit)
      .lean()
    for (const { _id } of documents)
      await model.updateOne(
        { _id, erasureRequestedAt: { $lt: before }, outboxPending: false },
        addToOutbox({ erasureRequestedAt: now }, newMessage('event.deleted.v1', { _id: _id.toHexString() })),
      )
    if (documents.length > 0) wakeRelay()
    return documents.map(({ _id }) => _id.toHexString())
  },
})
