import { AsyncLocalStorage } from 'node:async_hooks'
import mongoose, { type Connection, type Model, type QueryFilter, type UpdateQuery } from 'mongoose'
import { endWritesOnClose } from './end-writes-on-close.ts'
import type { Logger } from './logger.ts'

/**
 * Connects to the service's own database. Writes are acknowledged by a majority and journaled. While the database is
 * unavailable, operations fail within seconds instead of hanging.
 */
export const connectMongo = async (url: string, logger: Logger): Promise<Connection> => {
  const connection = mongoose.createConnection(url, {
    writeConcern: { w: 'majority', journal: true },
    serverSelectionTimeoutMS: 5_000,
    // Also the timeout of the heartbeat: when the server hangs, it fails all pending operations together.
    connectTimeoutMS: 5_000,
    socketTimeoutMS: 20_000,
    maxPoolSize: 20,
    // An operation that waits for a connection waits for those of operations that hang.
    waitQueueTimeoutMS: 10_000,
    autoCreate: false,
    autoIndex: false,
  })
  let closing = false
  connection.on('disconnecting', () => {
    closing = true
  })
  // Bound: it may be emitted in the context of a request.
  const onDisconnected = AsyncLocalStorage.bind(() => {
    if (!closing) logger.warn('database disconnected')
  })
  connection.on('disconnected', onDisconnected)
  connection.on('reconnected', () => logger.info('database reconnected'))
  await connection.asPromise()
  endWritesOnClose(connection, logger)
  return connection
}

// Errors of the driver that mean that the database is unavailable.
const unavailableErrorNames =
  /^Mongo(Network|ServerSelection|NotConnected|TopologyClosed|PoolCleared|WaitQueueTimeout|WriteConcern)|^(PoolCleared|MongooseServerSelection)/

// Errors of a server that still answers: it shuts down, is no longer the primary, or its disk is full. From the drivers'
// specifications (Retryable Writes, Retryable Reads) and the server's list of error codes.
const unavailableErrorCodes = new Set<unknown>([
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
  // A connection that is closed while it is written to; the driver does not wrap this error.
  'EPIPE',
])

/** Whether an operation failed because the database was unavailable, so that it may succeed later. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  error instanceof Error &&
  (unavailableErrorNames.test(error.name) ||
    ('code' in error && unavailableErrorCodes.has(error.code)) ||
    // A bulk write wraps the error that ended it.
    (error instanceof mongoose.mongo.MongoBulkWriteError && isDatabaseUnavailable(error.errorResponse)))

/** Whether a write failed because its unique key exists. */
export const isDuplicateKey = (error: unknown): boolean => {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false
  // FerretDB 1 passes on PostgreSQL's error for an update.
  return error.code === 11_000 || (error instanceof Error && error.message.includes('SQLSTATE 23505'))
}

/** Runs an upsert, and repeats it if a concurrent one inserted the same key first. */
export const upsertWithRetry = <T>(upsert: () => Promise<T>): Promise<T> =>
  upsert().catch((error: unknown) => {
    if (isDuplicateKey(error)) return upsert()
    throw error
  })

/**
 * Stores a copy of another service's record, unless the stored one is newer: messages arrive in any order. A copy without
 * `revision` is older than every other.
 */
export const saveCopy = async <T>(
  model: Model<T>,
  id: string,
  revision: number,
  set: UpdateQuery<T>,
): Promise<void> => {
  const olderCopy = { _id: id, $or: [{ revision: null }, { revision: { $lt: revision } }] }
  const write = (upsert: boolean) =>
    model.updateOne(
      olderCopy as QueryFilter<T>,
      { ...set, $set: { ...set.$set, revision } },
      {
        upsert,
      },
    )
  try {
    await write(true)
  } catch (error) {
    if (!isDuplicateKey(error)) throw error
    // There is a newer copy, or a concurrent write has inserted an older one.
    await write(false)
  }
}

/** For `/readyz`. */
export const pingMongo = (connection: Connection) => async (): Promise<void> => {
  await connection.db?.command({ ping: 1 })
}
