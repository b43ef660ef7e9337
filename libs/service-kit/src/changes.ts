import { listChangedEvents, listChangedUsers, type EventCopy, type UserCopy } from '@confetti/contracts'
import type { Connection, Model, QueryFilter, Types } from 'mongoose'
import { Counter } from 'prom-client'
import { callService } from './call-service.ts'
import type { ServiceConfig } from './config.ts'
import { isUnavailable } from './http/error-response.ts'
import { decodeCursor, encodeCursor, findPage } from './page.ts'
import type { Service } from './service.ts'
import { throwIfAny } from './try-each.ts'

/** When a record was last changed that other services copy. What an earlier version has written lacks it. */
export interface ChangeField {
  changedAt?: Date
}

// By then its message has arrived, and other replicas have written what they began earlier, or by a slower clock.
const SETTLE_MS = 60_000
const PAGE_SIZE = 500

/**
 * The first records that match `filter` and have changed since a position, longest ago first, and the position of the last
 * one. It needs an index on `changedAt` and `_id`. Throws `invalid` if the position is none.
 */
export const listChanges = async <D extends ChangeField & { _id: Types.ObjectId }>(
  model: Model<D>,
  filter: QueryFilter<D>,
  since: string | undefined,
  now: Date,
): Promise<{ documents: D[]; position?: string }> => {
  const changes = model as unknown as Model<ChangeField>
  await changes.updateMany({ changedAt: null }, { $set: { changedAt: now } })
  const { documents } = await findPage<D>(
    model,
    {
      filter: { ...filter, changedAt: { $lte: new Date(now.getTime() - SETTLE_MS) } },
      time: 'changedAt',
      first: 'oldest',
      projection: { outbox: 0 },
    },
    { limit: PAGE_SIZE, after: since ? decodeCursor(since) : undefined },
  )
  const last = documents.at(-1)
  return {
    documents,
    ...(last?.changedAt && { position: encodeCursor({ at: last.changedAt, _id: last._id.toHexString() }) }),
  }
}

type CopyKeeper = Pick<Service, 'registry' | 'runEvery' | 'stopping' | 'logger'>

interface CopyPosition {
  _id: string
  position: string
}

// With `SETTLE_MS` less than five minutes.
const INTERVAL_MS = 120_000
const CORRECTED = 'copies_corrected_total'

/**
 * Asks the owner of records every two minutes what has changed since the last time, and saves it. While the database is
 * unavailable, the same is asked for again; a record that cannot be saved for another reason keeps no other from it.
 */
const keepCopies = <T extends { _id: string }>(
  { registry, runEvery, stopping, logger }: CopyKeeper,
  database: Connection,
  copies: string,
  fetchChanges: (since: Record<string, string>) => Promise<{ records: T[]; position?: string | undefined }>,
  save: (record: T) => Promise<boolean>,
): void => {
  const positions = database.collection<CopyPosition>('copypositions')
  const corrected =
    (registry.getSingleMetric(CORRECTED) as Counter<'copies'> | undefined) ??
    new Counter({
      name: CORRECTED,
      help: 'Copies of records of another service that were older than the record, because a message was late or lost',
      labelNames: ['copies'],
      registers: [registry],
    })
  corrected.inc({ copies }, 0)

  runEvery(INTERVAL_MS, `copies of ${copies}`, async () => {
    let position = (await positions.findOne({ _id: copies }))?.position
    // The first list has all records, of which nobody has said that they were copied.
    const isFirst = position === undefined
    const errors: unknown[] = []
    for (;;) {
      const page = await fetchChanges(position === undefined ? {} : { since: position })
      if (page.position === undefined) break
      for (const record of page.records) {
        if (stopping.aborted) return
        try {
          if ((await save(record)) && !isFirst) corrected.inc({ copies })
        } catch (error) {
          if (isUnavailable(error)) throw error
          logger.error(
            { err: error, copies, id: record._id },
            'a copy could not be saved, it stays as it was',
          )
          errors.push(error)
        }
      }
      position = page.position
      await positions.updateOne({ _id: copies }, { $set: { position } }, { upsert: true })
    }
    throwIfAny(errors, 'some copies could not be saved')
  })
}

/**
 * Keeps copies of events true by themselves: what a lost message would have changed is changed within five minutes. `save`
 * returns whether the copy was older.
 */
export const keepEventCopies = (
  service: CopyKeeper & Pick<Service<{ EVENTS_URL: string } & ServiceConfig>, 'config'>,
  database: Connection,
  save: (event: EventCopy) => Promise<boolean>,
): void => {
  const { EVENTS_URL: url } = service.config
  const fetchChanges = async (since: Record<string, string>) => {
    const { events: records = [], position } = (await callService(url, listChangedEvents, {}, since)) ?? {}
    return { records, position }
  }
  keepCopies(service, database, 'events', fetchChanges, save)
}

/** Like `keepEventCopies`, of accounts. */
export const keepUserCopies = (
  service: CopyKeeper & Pick<Service<{ AUTH_URL: string } & ServiceConfig>, 'config'>,
  database: Connection,
  save: (user: UserCopy) => Promise<boolean>,
): void => {
  const { AUTH_URL: url } = service.config
  const fetchChanges = async (since: Record<string, string>) => {
    const { users: records = [], position } = (await callService(url, listChangedUsers, {}, since)) ?? {}
    return { records, position }
  }
  keepCopies(service, database, 'users', fetchChanges, save)
}
