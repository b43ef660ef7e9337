import mongoose, { type Connection } from 'mongoose'
import type { Logger } from './logger.ts'

/**
 * A connection to the service's own database. Writes are acknowledged by a majority and journaled; a call fails
 * after seconds, never hangs, while the database is away.
 */
export const connectMongo = async (url: string, logger: Logger): Promise<Connection> => {
  const connection = mongoose.createConnection(url, {
    writeConcern: { w: 'majority', journal: true },
    serverSelectionTimeoutMS: 5_000,
    // Also how soon a database that hangs is noticed: then calls under way fail, too, instead of waiting one by one.
    connectTimeoutMS: 5_000,
    socketTimeoutMS: 20_000,
    maxPoolSize: 20,
    // Who waits for a connection waits for those that hang.
    waitQueueTimeoutMS: 10_000,
    autoCreate: false,
    autoIndex: false,
  })
  let closing = false
  connection.on('disconnecting', () => {
    closing = true
  })
  connection.on('disconnected', () => {
    if (!closing) logger.warn('database away')
  })
  connection.on('reconnected', () => logger.info('database back'))
  return connection.asPromise()
}

/** Whether a write lost to another one that has the same unique key. */
export const isDuplicateKey = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 11_000

/** Of two upserts at once one may fail, and finds the other's document the second time. */
export const upserting = <T>(upsert: () => Promise<T>): Promise<T> =>
  upsert().catch((error: unknown) => {
    if (isDuplicateKey(error)) return upsert()
    throw error
  })

/** For `/readyz`. */
export const pingMongo = (connection: Connection) => async (): Promise<void> => {
  await connection.db?.command({ ping: 1 })
}
