import type { Model, Schema, UpdateQuery } from 'mongoose'
import type { Message } from './message.ts'

/**
 * The document that changed is its own outbox: facts wait in it, written by the same single-document write as the
 * change itself. Only top-level fields are searched, so that it is fast on any server that speaks MongoDB.
 */
export interface OutboxFields {
  outbox: Message[]
  outboxPending: boolean
  /** Counts additions; what was added while a relay was sending is not taken for sent. */
  outboxVersion: number
  outboxLeaseUntil: Date
}

/** Adds the outbox to a schema. */
export const outboxPlugin = (schema: Schema): void => {
  schema.add({
    outbox: { type: [Object], default: [] },
    outboxPending: { type: Boolean, default: false },
    outboxVersion: { type: Number, default: 0 },
    outboxLeaseUntil: { type: Date, default: new Date(0) },
  })
  schema.index({ outboxPending: 1, outboxLeaseUntil: 1 })
}

/** The outbox of a new document that has these facts to tell. */
export const withOutbox = (...messages: Message[]): OutboxFields => ({
  outbox: messages,
  outboxPending: messages.length > 0,
  outboxVersion: 1,
  outboxLeaseUntil: new Date(0),
})

// Longer than it takes to publish, and what a fact waits at most when the process dies that held it.
const LEASE_MS = 30_000

/**
 * As `withOutbox`, and held from the start for the relay of this process, which is to be handed it by `sendHeld`
 * after the insert: no relay has to look for it.
 */
export const heldOutbox = (...messages: Message[]): OutboxFields => ({
  ...withOutbox(...messages),
  outboxLeaseUntil: new Date(Date.now() + LEASE_MS),
})

/** The update operators that add a fact to an existing document; merge `set` into its `$set`. */
export const addToOutbox = <T>(message: Message, set: Record<string, unknown>): UpdateQuery<T> => ({
  $set: { ...set, outboxPending: true },
  $push: { outbox: message },
  $inc: { outboxVersion: 1 },
})

export interface OutboxClaim {
  id: unknown
  version: number
  messages: Message[]
}

/** Takes a document with waiting facts for a while, so that no other replica sends them meanwhile. */
export const claimOutbox = async <T extends OutboxFields>(
  model: Model<T>,
): Promise<OutboxClaim | undefined> => {
  const now = Date.now()
  const document = await (model as unknown as Model<OutboxFields>)
    .findOneAndUpdate(
      { outboxPending: true, outboxLeaseUntil: { $lte: new Date(now) } },
      { $set: { outboxLeaseUntil: new Date(now + LEASE_MS) } },
      // Without a projection: FerretDB's findAndModify knows none.
      { returnDocument: 'after' },
    )
    .lean()
  return document
    ? { id: document._id, version: document.outboxVersion, messages: document.outbox }
    : undefined
}

/**
 * Empties outboxes after sending, and says whether all are empty: those to which something was added meanwhile stay,
 * and all of it is sent again.
 */
export const settleOutboxes = async <T extends OutboxFields>(
  model: Model<T>,
  claims: readonly OutboxClaim[],
): Promise<boolean> => {
  const outboxes = model as unknown as Model<OutboxFields>
  const { matchedCount } = await outboxes.bulkWrite(
    claims.map(({ id, version }) => ({
      updateOne: {
        filter: { _id: id, outboxVersion: version },
        // What is added next must not wait for the end of this lease.
        update: { $set: { outbox: [], outboxPending: false, outboxLeaseUntil: new Date(0) } },
      },
    })),
    { ordered: false },
  )
  const allEmpty = matchedCount === claims.length
  if (!allEmpty) await releaseOutboxes(model, claims)
  return allEmpty
}

/** Lets the next relay that comes by try those that still wait, after all others. */
export const releaseOutboxes = async <T extends OutboxFields>(
  model: Model<T>,
  claims: readonly OutboxClaim[],
): Promise<void> => {
  await (model as unknown as Model<OutboxFields>).bulkWrite(
    claims.map(({ id }) => ({
      updateOne: {
        filter: { _id: id, outboxPending: true },
        update: { $set: { outboxLeaseUntil: new Date() } },
      },
    })),
    { ordered: false },
  )
}
