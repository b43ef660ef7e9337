import { changeMany, returning } from '@confetti/service-kit'
import type { Model, Schema, UpdateQuery } from 'mongoose'
import type { Message } from './message.ts'

/**
 * The outbox of a document: messages that are stored by the same write as the change that they are about.
 */
export interface OutboxFields {
  outbox: Message[]
  outboxPending: boolean
  /** Counts additions, so that a message added while a relay publishes is not marked as sent. */
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

/** The outbox of a new document with these messages. */
export const newOutbox = (...messages: Message[]): OutboxFields => ({
  outbox: messages,
  outboxPending: messages.length > 0,
  outboxVersion: 1,
  outboxLeaseUntil: new Date(0),
})

// Longer than publishing takes; also the longest that a message waits if the process that leased it dies.
const LEASE_MS = 30_000

/**
 * Like `newOutbox`, and leased to the relay of this process. Pass it to `publishLeased` after the insert, so that no relay
 * has to query for it.
 */
export const leasedOutbox = (...messages: Message[]): OutboxFields => ({
  ...newOutbox(...messages),
  outboxLeaseUntil: new Date(Date.now() + LEASE_MS),
})

/** The update that sets the fields `set` of an existing document and adds messages to its outbox. */
export const addToOutbox = <T>(set: Record<string, unknown>, ...messages: Message[]): UpdateQuery<T> => ({
  $set: { ...set, outboxPending: true },
  $push: { outbox: { $each: messages } },
  $inc: { outboxVersion: 1 },
})

export interface OutboxClaim {
  id: unknown
  version: number
  messages: Message[]
}

const toClaim = ({ _id, outboxVersion, outbox }: OutboxFields & { _id: unknown }): OutboxClaim => ({
  id: _id,
  version: outboxVersion,
  messages: outbox,
})

const isDue = (now: number) => ({ outboxPending: true, outboxLeaseUntil: { $lte: new Date(now) } })

/** The ids of at most `limit` documents with pending messages that no process has leased. */
export const findPending = async <T extends OutboxFields>(
  model: Model<T>,
  limit: number,
): Promise<unknown[]> => {
  const outboxes = model as unknown as Model<OutboxFields>
  const found = await outboxes.find(isDue(Date.now()), { _id: 1 }).limit(limit).lean()
  return found.map(({ _id }) => _id)
}

/** Leases those of the documents that are still pending, so that no other replica publishes them at the same time. */
export const claimOutboxes = async <T extends OutboxFields>(
  model: Model<T>,
  ids: readonly unknown[],
): Promise<OutboxClaim[]> => {
  const outboxes = model as unknown as Model<OutboxFields>
  const now = Date.now()
  const options = await returning(outboxes, { outbox: 1, outboxVersion: 1 })
  const leases = await Promise.allSettled(
    ids.map((_id) =>
      outboxes
        .findOneAndUpdate(
          { _id, ...isDue(now) },
          { $set: { outboxLeaseUntil: new Date(now + LEASE_MS) } },
          options,
        )
        .lean(),
    ),
  )
  // One that fails must not leave the others claimed and unpublished.
  const claims = leases.flatMap((lease) =>
    lease.status === 'fulfilled' && lease.value ? [toClaim(lease.value)] : [],
  )
  const failure = leases.find((lease) => lease.status === 'rejected')
  if (claims.length === 0 && failure) throw failure.reason
  return claims
}

/** A message that is published so long after it was made may be of a change that was written late. */
const LATE_AFTER_MS = 5_000

const isLate = ({ messages }: OutboxClaim): boolean =>
  messages.some(({ time }) => Date.parse(time) < Date.now() - LATE_AFTER_MS)

/**
 * Empties outboxes whose messages have been published, and sets `lateFields` where that was late; returns whether all are
 * empty. One to which a message was added in the meantime stays, and all of its messages are published again.
 */
export const markSent = async <T extends OutboxFields>(
  model: Model<T>,
  claims: readonly OutboxClaim[],
  lateFields: Record<string, unknown> = {},
): Promise<boolean> => {
  const outboxes = model as unknown as Model<OutboxFields>
  const changes = claims.map((claim) => ({
    updateOne: {
      filter: { _id: claim.id, outboxVersion: claim.version },
      update: {
        $set: {
          ...(isLate(claim) && lateFields),
          outbox: [],
          outboxPending: false,
          // The next message must not wait for the end of this lease.
          outboxLeaseUntil: new Date(0),
        },
      },
    },
  }))
  const allEmpty = (await changeMany(outboxes, changes)) === claims.length
  if (!allEmpty) await releaseClaims(model, claims)
  return allEmpty
}

/** Releases the leases of outboxes that are still pending, behind all others that wait. */
export const releaseClaims = async <T extends OutboxFields>(
  model: Model<T>,
  claims: readonly OutboxClaim[],
): Promise<void> => {
  const changes = claims.map(({ id }) => ({
    updateOne: {
      filter: { _id: id, outboxPending: true },
      update: { $set: { outboxLeaseUntil: new Date() } },
    },
  }))
  await changeMany(model as unknown as Model<OutboxFields>, changes)
}
