import { AsyncLocalStorage } from 'node:async_hooks'
import type { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import mongoose, { type Connection, type Model, type QueryFilter, type UpdateQuery } from 'mongoose'
import { isDuplicateKeyInPostgres } from './ferretdb/ferretdb.ts'
import type { ServiceConfig } from './config.ts'
import type { Logger } from './logger.ts'
import type { Service } from './service.ts'

/** A connection of the driver, which its types do not export. */
interface DriverConnection extends EventEmitter {
  error: Error | null
  /** Resolves when the socket has taken all bytes. */
  writeCommand?: (...args: unknown[]) => Promise<void>
}

interface DriverClient {
  topology?: { s?: { servers?: Map<string, { monitor: { connection: DriverConnection | null } | null }> } }
}

const findPrototype = (connection: Connection): DriverConnection | undefined => {
  const { topology } = connection.getClient() as unknown as DriverClient
  for (const { monitor } of topology?.s?.servers?.values() ?? [])
    if (monitor?.connection) return Object.getPrototypeOf(monitor.connection) as DriverConnection
  return undefined
}

const fixed = new WeakSet<DriverConnection>()

/**
 * Works around a bug of the MongoDB driver, 7.9 included. A command that is written to a socket which has been destroyed
 * and has not emitted `close` yet, or which closes before it has taken all bytes, waits for `drain` forever: Node.js emits
 * neither that nor `error` then. This happens when a server ends and all its sockets close together. The operation never
 * ends; if it is that of the monitor, the service is without its database until it is restarted.
 *
 * Makes such a write fail with the error of the connection, for all connections of the driver.
 */
const endWritesOnClose = (connection: Connection, logger: Logger): void => {
  const prototype = findPrototype(connection)
  if (!prototype?.writeCommand) {
    // A load balancer is not monitored; another version of the driver may have other names.
    logger.warn('database connections were not found: a write may wait forever after they have closed')
    return
  }
  if (fixed.has(prototype)) return
  fixed.add(prototype)
  const { writeCommand } = prototype
  prototype.writeCommand = async function (this: DriverConnection, ...args) {
    let onClose = (): void => undefined
    const closing = new Promise<never>((_, reject) => {
      onClose = () => reject(this.error ?? new Error('The connection was closed'))
      this.once('close', onClose)
    })
    try {
      await Promise.race([writeCommand.apply(this, args), closing])
    } finally {
      this.off('close', onClose)
    }
  }
}

const MAX_ATTEMPTS = 40
const FIRST_MAX_PAUSE_MS = 10
const MAX_PAUSE_MS = 200

/**
 * Runs `attempt`, which reads a document and writes it only if it has not changed since, until it returns something other
 * than undefined. The random pauses between attempts grow and take some 3 s together. Throws what `attempt` throws, and
 * the error of `onContention` after 40 attempts.
 */
export const changeUntilWritten = async <T>(
  attempt: () => Promise<T | undefined>,
  onContention: () => Error,
): Promise<T> => {
  for (let count = 1; count <= MAX_ATTEMPTS; count += 1) {
    const result = await attempt()
    if (result !== undefined) return result
    await sleep(Math.random() * Math.min(count * FIRST_MAX_PAUSE_MS, MAX_PAUSE_MS))
  }
  throw onContention()
}

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

/** Connects a service to its own database, for as long as the service runs; it is ready while the database is. */
export const openDatabase = async ({
  config,
  logger,
  lifecycle,
  health,
}: Service<ServiceConfig & { MONGO_URL: string }>): Promise<Connection> => {
  const connection = await connectMongo(config.MONGO_URL, logger)
  lifecycle.onClose('mongo', () => connection.close())
  health.check('mongo', pingMongo(connection))
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
  return error.code === 11_000 || isDuplicateKeyInPostgres(error)
}

/** Runs an upsert, and repeats it if a concurrent one inserted the same key first. */
export const upsertWithRetry = <T>(upsert: () => Promise<T>): Promise<T> =>
  upsert().catch((error: unknown) => {
    if (isDuplicateKey(error)) return upsert()
    throw error
  })

/**
 * The revision of a record after its next change, for `saveCopy`: the time, so that what is changed after the database was
 * restored from a backup is newer than the copies of what was lost.
 */
export const nextRevision = (revision: number, now: Date): number => Math.max(revision + 1, now.getTime())

/**
 * Stores a copy of another service's record, unless the stored one is as new or newer: messages arrive in any order. Returns
 * whether it was stored.
 */
export const saveCopy = async <T>(
  model: Model<T>,
  id: string,
  revision: number,
  set: UpdateQuery<T>,
): Promise<boolean> => {
  const olderCopy = { _id: id, revision: { $lt: revision } }
  const write = async (upsert: boolean): Promise<boolean> => {
    const { matchedCount, upsertedCount } = await model.updateOne(
      olderCopy as QueryFilter<T>,
      { ...set, $set: { ...set.$set, revision } },
      { upsert },
    )
    return matchedCount + upsertedCount > 0
  }
  try {
    return await write(true)
  } catch (error) {
    if (!isDuplicateKey(error)) throw error
    // There is a newer copy, or a concurrent write has inserted an older one.
    return write(false)
  }
}

/** For `/readyz`. */
const pingMongo = (connection: Connection) => async (): Promise<void> => {
  await connection.db?.command({ ping: 1 })
}
