import { randomBytes } from 'node:crypto'
import { eventDetailFields, type EventDetails, type EventSettings } from '@confetti/contracts'
import {
  addToOutbox,
  auditMessage,
  newMessage,
  newOutbox,
  outboxPlugin,
  type OutboxFields,
} from '@confetti/messaging'
import {
  createUniqueIndexWherePresent,
  listChanges,
  pickDefined,
  type ChangeField,
  type Clock,
} from '@confetti/service-kit'
import { Schema, Types, type Connection } from 'mongoose'
import {
  eventHolders,
  type EventStore,
  type EventUsage,
  type Organiser,
  type OrganiserInvitation,
  type StoredEvent,
} from '../event.ts'
import type { Config } from '../config.ts'
import { notBeforeClosing } from '../schedule.ts'
import { toEventCopy } from '../viewing/views.ts'
import { describeChange } from './describe-change.ts'
import { withUnusedCode } from './short-code.ts'

interface EventDocument extends OutboxFields, EventDetails, ChangeField {
  _id: Types.ObjectId
  organisers: Organiser[]
  /** Absent: none, as earlier versions had none. */
  organiserInvitations?: OrganiserInvitation[]
  /** Absent: none. */
  recentInvitations?: Date[]
  /** Absent: none, as mongoose stores no empty object. */
  settings?: EventSettings
  uploadsCloseAt: Date
  /** Absent or null: never. */
  deleteAt?: Date | null
  createdAt: Date
  /** Absent until guests have sent something to an event with a limit. */
  usage?: EventUsage
  /** Absent or null: there is no live wall. */
  wallKeyHash?: string | null
  /** Absent until there is a PIN. */
  pinSalt?: string | undefined
  /** Absent in what an earlier version has created, and in deleted events. */
  shortCode?: string | undefined
  /** Absent in what an earlier version has created. */
  savesWithGallery?: true | undefined
  revision: number
  /** Set when the event was deleted: nothing else but its id and outbox is left. */
  deletedAt?: Date
  /** When `event.deleted` was last written. */
  erasureRequestedAt?: Date
  /** The services that have erased what they had of the event. */
  erasedBy?: string[]
}

/** The first organiser, whom earlier versions also stored by itself: what is left of that goes with the next change. */
const formerFields = ['organiserId', 'organiserEmail']

/**
 * Dates are calendar days as text, yyyy-MM-dd: they can be compared as text, and no time zone can shift them. The contract
 * validates the fields that an admin enters.
 */
export const createEventModel = (connection: Connection) => {
  const schema = new Schema<EventDocument>({
    ...Object.fromEntries(eventDetailFields.map((field) => [field, Schema.Types.Mixed])),
    ...Object.fromEntries(formerFields.map((field) => [field, String])),
    organisers: { type: [{ _id: String, email: String }], default: undefined },
    organiserInvitations: {
      type: [{ _id: String, email: String, tokenHash: String, expiresAt: Date, invitedBy: String }],
      default: undefined,
    },
    // Not `Date`, which the simulation replaces.
    recentInvitations: { type: [Schema.Types.Date], default: undefined },
    settings: { type: Object, default: undefined },
    uploadsCloseAt: { type: Date, required: true },
    deleteAt: Date,
    createdAt: { type: Date, required: true },
    usage: { type: { files: Number, bytes: Number, countedAt: Date }, default: undefined, _id: false },
    wallKeyHash: String,
    pinSalt: String,
    shortCode: String,
    savesWithGallery: Boolean,
    revision: { type: Number, required: true },
    deletedAt: Date,
    erasureRequestedAt: Date,
    erasedBy: { type: [String], default: undefined },
    changedAt: Date,
  })
    .index({ startDate: 1, endDate: 1 })
    .index({ endDate: 1 })
    .index({ deleteAt: 1 })
    .index({ deletedAt: 1 })
    .index({ erasureRequestedAt: 1 })
    .index({ changedAt: 1, _id: 1 })
    .index({ 'organisers._id': 1, startDate: -1 })
    .index({ 'organiserInvitations.email': 1 })
    .index({ 'organiserInvitations.invitedBy': 1 })
    .index({ 'organiserInvitations.expiresAt': 1 })
  outboxPlugin(schema)
  return connection.model<EventDocument>('Event', schema)
}
type EventModel = ReturnType<typeof createEventModel>

export const createEventIndexes = async (model: EventModel): Promise<void> => {
  await model.createIndexes()
  await createUniqueIndexWherePresent(model, 'shortCode')
}

const toStoredEvent = (document: EventDocument): StoredEvent => ({
  ...pickDefined(document, eventDetailFields),
  _id: document._id.toHexString(),
  organisers: document.organisers,
  organiserInvitations: document.organiserInvitations ?? [],
  recentInvitations: document.recentInvitations ?? [],
  settings: document.settings ?? {},
  uploadsCloseAt: document.uploadsCloseAt,
  // Earlier versions have stored earlier times.
  deleteAt: notBeforeClosing(document.deleteAt ?? undefined, document.uploadsCloseAt),
  createdAt: document.createdAt,
  usage: document.usage,
  wallKeyHash: document.wallKeyHash ?? undefined,
  ...pickDefined(document, ['pinSalt', 'shortCode', 'savesWithGallery']),
  revision: document.revision,
})

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
})

/** What is not kept of a deleted event. */
const contentFields = [
  ...eventDetailFields,
  'organisers',
  'organiserInvitations',
  'recentInvitations',
  'settings',
  'uploadsCloseAt',
  'deleteAt',
  'createdAt',
  'usage',
  'wallKeyHash',
  'pinSalt',
  'shortCode',
  'savesWithGallery',
] as const satisfies (keyof EventDocument)[]

const withoutValues = (fields: readonly string[]) => Object.fromEntries(fields.map((field) => [field, '']))

const audit = (action: 'event.created' | 'event.deleted', id: string, details?: Pick<StoredEvent, 'name'>) =>
  auditMessage({ action, subject: { type: 'event', id }, eventId: id, details })

const existing = { deletedAt: null } as const

const idsOf = (documents: readonly { _id: Types.ObjectId }[]): string[] =>
  documents.map(({ _id }) => _id.toHexString())
const soonestFirst = { startDate: 1, createdAt: 1, _id: 1 } as const
const latestFirst = { startDate: -1, createdAt: -1, _id: -1 } as const

/** All random: an id is the key to upload and gallery, and MongoDB's own consist of a time, a process and a counter. */
const newEventId = () => new Types.ObjectId(randomBytes(12))

export const createEventStore = (
  model: EventModel,
  { config, wakeRelay, clock }: { config: Config; wakeRelay: () => void; clock: Clock },
): EventStore => ({
  create: (fields) =>
    withUnusedCode(async (shortCode) => {
      const _id = newEventId()
      const event: StoredEvent = { _id: _id.toHexString(), ...fields, shortCode, revision: 0 }
      await model.create({
        ...toFields(event),
        _id,
        changedAt: clock(),
        ...newOutbox(
          newMessage('event.created.v1', toEventCopy(event, config)),
          audit('event.created', event._id, { name: event.name }),
        ),
      })
      wakeRelay()
      return event
    }),

  find: async (id) => {
    const document = await model.findOne({ _id: id, ...existing }).lean()
    return document ? toStoredEvent(document) : undefined
  },

  findIdByCode: async (shortCode) => {
    const document = await model.findOne({ shortCode, ...existing }, { _id: 1 }).lean()
    return document?._id.toHexString()
  },

  addShortCode: (event) =>
    withUnusedCode(async (shortCode) => {
      const changed = { ...event, shortCode, revision: event.revision + 1 }
      const { matchedCount } = await model.updateOne(
        { _id: event._id, ...existing, revision: event.revision },
        addToOutbox<EventDocument>(
          { shortCode, revision: changed.revision, changedAt: clock() },
          newMessage('event.changed.v1', toEventCopy(changed, config)),
        ),
      )
      if (matchedCount > 0) wakeRelay()
    }),

  update: async (event, changes, invited) => {
    const revision = event.revision + 1
    const changed = { ...event, ...changes, revision }
    const { matchedCount } = await model.updateOne(
      { _id: event._id, ...existing, revision: event.revision },
      {
        ...addToOutbox<EventDocument>(
          { ...toFields(changed), changedAt: clock() },
          newMessage('event.changed.v1', toEventCopy(changed, config)),
          ...describeChange(event, changed).map(auditMessage),
          ...(invited ? [newMessage('organiser.invited.v1', invited)] : []),
        ),
        $unset: withoutValues(formerFields),
      },
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

  listChanges: async (since) => {
    const { documents, ...position } = await listChanges(model, existing, since, clock())
    return { events: documents.map(toStoredEvent), ...position }
  },

  listByOrganiser: async (organiserId) => {
    const documents = await model
      .find({ 'organisers._id': organiserId, ...existing })
      .sort(latestFirst)
      .lean()
    return documents.map(toStoredEvent)
  },

  listByAccount: async ({ _id, email }) => {
    const documents = await model
      .find({
        $or: [
          { 'organisers._id': _id },
          { 'organiserInvitations.invitedBy': _id },
          ...(email === undefined ? [] : [{ 'organiserInvitations.email': email }]),
        ],
        ...existing,
      })
      .lean()
    return documents.map(toStoredEvent)
  },

  listWithExpiredInvitations: async (now, limit) => {
    const expired = { 'organiserInvitations.expiresAt': { $lte: now } }
    return idsOf(await model.find(expired, { _id: 1 }).limit(limit).lean())
  },

  removeExpiredInvitations: async (id, now) => {
    const document = await model.findById(id, { revision: 1, organiserInvitations: 1 }).lean()
    if (!document?.organiserInvitations) return
    const organiserInvitations = document.organiserInvitations.filter(({ expiresAt }) => expiresAt > now)
    await model.updateOne({ _id: id, revision: document.revision }, { $set: { organiserInvitations } })
  },

  listDue: async (now, limit) => {
    const documents = await model
      .find({ deleteAt: { $lte: now }, uploadsCloseAt: { $lte: now }, ...existing }, { _id: 1 })
      .limit(limit)
      .lean()
    return idsOf(documents)
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
        $unset: withoutValues([...contentFields, ...formerFields]),
      },
    )
    if (matchedCount === 0) return false
    wakeRelay()
    return true
  },

  confirmErasure: async (id, service) => {
    await model.updateOne({ _id: id, deletedAt: { $ne: null } }, { $addToSet: { erasedBy: service } })
    const erased = { _id: id, erasedBy: { $all: eventHolders } }
    await model.deleteOne({ ...erased, outboxPending: false })
    if (await model.exists(erased)) throw new Error('The event still has messages to publish')
  },

  findOldestDeletion: async (holder) => {
    const document = await model
      .findOne({ deletedAt: { $ne: null }, erasedBy: { $ne: holder } }, { deletedAt: 1 })
      .sort({ deletedAt: 1 })
      .lean()
    return document?.deletedAt
  },

  listUnerased: async (before, limit) => {
    const documents = await model
      .find({ erasureRequestedAt: { $lt: before }, outboxPending: false }, { _id: 1 })
      .limit(limit)
      .lean()
    return idsOf(documents)
  },

  repeatDeletion: async (id, before, now) => {
    await model.updateOne(
      { _id: id, erasureRequestedAt: { $lt: before }, outboxPending: false },
      addToOutbox<EventDocument>({ erasureRequestedAt: now }, newMessage('event.deleted.v1', { _id: id })),
    )
    wakeRelay()
  },
})
