import { randomBytes, randomInt } from 'node:crypto'
import { eventDetailFields, SHORT_CODE_ALPHABET, SHORT_CODE_LENGTH } from '@confetti/contracts'
import { addToOutbox, auditMessage, newMessage, newOutbox } from '@confetti/messaging'
import { isDuplicateKey, listChanges, nextRevision, pickDefined, type Clock } from '@confetti/service-kit'
import { Types } from 'mongoose'
import { eventHolders, type EventStore, type StoredEvent } from '../event.ts'
import type { Config } from '../config.ts'
import { notBeforeClosing } from '../schedule.ts'
import { toEventCopy } from '../viewing/views.ts'
import { describeChange } from './describe-change.ts'
import { formerFields, type EventDocument, type EventModel } from './event-model.ts'

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
  ...pickDefined(document, ['postponedTo', 'pinSalt', 'shortCode', 'savesWithGallery']),
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
  'postponedTo',
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
const dueAt = (now: Date) => ({ deleteAt: { $lte: now }, uploadsCloseAt: { $lte: now }, ...existing })

const idsOf = (documents: readonly { _id: Types.ObjectId }[]): string[] =>
  documents.map(({ _id }) => _id.toHexString())
const soonestFirst = { startDate: 1, createdAt: 1, _id: 1 } as const
const latestFirst = { startDate: -1, createdAt: -1, _id: -1 } as const

/** All random: an id is the key to upload and gallery, and MongoDB's own consist of a time, a process and a counter. */
const newEventId = () => new Types.ObjectId(randomBytes(12))

/** All random, so that nobody finds the code of an event by that of another. */
const newShortCode = (): string =>
  Array.from(
    { length: SHORT_CODE_LENGTH },
    () => SHORT_CODE_ALPHABET[randomInt(SHORT_CODE_ALPHABET.length)],
  ).join('')

// With a billion events, one code of 656 is taken.
const MAX_CODE_ATTEMPTS = 5

/** Calls `write` with a new short code, and again with another one while an event has it. Throws after the fifth. */
export const withUnusedCode = async <T>(write: (shortCode: string) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await write(newShortCode())
    } catch (error) {
      if (!isDuplicateKey(error) || attempt === MAX_CODE_ATTEMPTS) throw error
    }
}

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

  findLasting: async (id) => {
    const document = await model
      .findOne({ _id: id, ...existing })
      .readConcern('majority')
      .lean()
    return document ? toStoredEvent(document) : undefined
  },

  findIdByCode: async (shortCode) => {
    const document = await model.findOne({ shortCode, ...existing }, { _id: 1 }).lean()
    return document?._id.toHexString()
  },

  addShortCode: (event) =>
    withUnusedCode(async (shortCode) => {
      const changed = { ...event, shortCode, revision: nextRevision(event.revision, clock()) }
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
    const revision = nextRevision(event.revision, clock())
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

  listEndingBefore: async (time) => {
    const documents = await model.find({ deleteAt: { $lt: time }, ...existing }).lean()
    return documents
      .map(toStoredEvent)
      .filter(
        ({ deleteAt, postponedTo }) =>
          deleteAt && deleteAt < time && deleteAt.getTime() !== postponedTo?.getTime(),
      )
  },

  listDue: async (now, limit) => {
    const documents = await model.find(dueAt(now), { _id: 1 }).limit(limit).lean()
    return idsOf(documents)
  },

  markDeleted: async (id, at, which = 'all') => {
    const { matchedCount } = await model.updateOne(
      { _id: id, ...(which === 'due' ? dueAt(at) : existing) },
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
