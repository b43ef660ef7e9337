import { eventDetailFields, type EventDetails, type EventSettings } from '@confetti/contracts'
import { outboxPlugin, type OutboxFields } from '@confetti/messaging'
import { createUniqueIndexWherePresent, type ChangeField } from '@confetti/service-kit'
import { Schema, type Connection, type Types } from 'mongoose'
import type { EventUsage, Organiser, OrganiserInvitation } from '../event.ts'

export interface EventDocument extends OutboxFields, EventDetails, ChangeField {
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
  /** Absent: the sweep has not postponed its deletion. */
  postponedTo?: Date | undefined
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
export const formerFields = ['organiserId', 'organiserEmail']

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
    postponedTo: Date,
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
export type EventModel = ReturnType<typeof createEventModel>

export const createEventIndexes = async (model: EventModel): Promise<void> => {
  await model.createIndexes()
  await createUniqueIndexWherePresent(model, 'shortCode')
}
