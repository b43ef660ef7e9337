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

// The driver's ways to say that the database is away, whichever server plays MongoDB.
const awayNames =
  /^Mongo(Network|ServerSelection|NotConnected|TopologyClosed|PoolCleared|WaitQueueTimeout|WriteConcern)|^(PoolCleared|MongooseServerSelection)/

// A server's ways to say so that still answers: it ends, is no longer the primary, or has no more room. From the
// drivers' specification (Retryable Writes, Retryable Reads) and the server's list of error codes.
const awayCodes = new Set<unknown>([
  6, // HostUnreachable
  7, // HostNotFound
  89, // NetworkTimeout
  91, // ShutdownInProgress
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  262, // ExceededTimeLimit
  9001, // SocketException
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11602, // InterruptedDueToReplStateChange
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
  14031, // OutOfDiskSpace
  // The error of a connection that ends in the moment it is written to, which the driver passes on as it is.
  'EPIPE',
])

/** Whether the database could not serve a call, and may serve the next one. */
export const saysDatabaseAway = (error: unknown): boolean =>
  error instanceof Error && (awayNames.test(error.name) || ('code' in error && awayCodes.has(error.code)))

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
