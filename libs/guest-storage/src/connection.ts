import { openDB, unwrap, wrap, type DBSchema, type IDBPDatabase } from 'idb'

/**
 * Whether the browser has ended the connection, or a transaction of it. Safari does with pages in the background: then a
 * transaction cannot be started (InvalidStateError), is aborted (AbortError), or fails with "Connection to Indexed Database
 * server lost".
 */
const isConnectionLost = (error: unknown): boolean =>
  error instanceof DOMException &&
  (['InvalidStateError', 'AbortError'].includes(error.name) ||
    /\bconnection\b.*\blost\b/i.test(error.message))

const activeTransactions = new Set<IDBTransaction>()
/** How often the page was put into the back/forward cache. */
let timesCached = 0

/**
 * Safari keeps the transactions of a page in its back/forward cache open, and those of the next page wait for them
 * (https://github.com/w3c/IndexedDB/issues/381).
 */
const abortActive = ({ persisted }: Event & { persisted?: boolean }): void => {
  if (!persisted) return
  timesCached += 1
  for (const transaction of activeTransactions)
    try {
      transaction.abort()
    } catch {
      // It is being committed, which needs no page.
    }
}

const watch = (transaction: IDBTransaction): void => {
  activeTransactions.add(transaction)
  // Its requests reject, too.
  wrap(transaction).done.catch(() => undefined)
  for (const end of ['complete', 'abort'])
    transaction.addEventListener(end, () => activeTransactions.delete(transaction))
}

const watchTransactions = (database: IDBDatabase): void => {
  database.transaction = (...parameters) => {
    const transaction = IDBDatabase.prototype.transaction.apply(database, parameters)
    watch(transaction)
    return transaction
  }
}

/**
 * Creates a function that calls `work` with the connection to a database, which the first call opens, and for which
 * `create` creates the stores. If the browser has ended the connection, it is opened again, and `work` is called once more;
 * also each time that the page comes back from the back/forward cache, which aborts what `work` has begun.
 */
export const createConnection = <Schema extends DBSchema>(
  name: string,
  create: (db: IDBPDatabase<Schema>) => void,
) => {
  // Not in a service worker. Added again, it is the same listener.
  if ('onpagehide' in globalThis) addEventListener('pagehide', abortActive)
  let connection: Promise<IDBPDatabase<Schema>> | undefined

  const forget = (lost: Promise<IDBPDatabase<Schema>>): void => {
    if (connection === lost) connection = undefined
  }
  const open = (): Promise<IDBPDatabase<Schema>> =>
    openDB<Schema>(name, 1, {
      upgrade: (db, _from, _to, transaction) => {
        watch(unwrap(transaction))
        create(db)
      },
    })
  const connect = (): Promise<IDBPDatabase<Schema>> => {
    if (connection) return connection
    const opening = open()
    connection = opening
    opening.then(
      (db) => {
        db.addEventListener('close', () => forget(opening))
        watchTransactions(unwrap(db))
      },
      () => forget(opening),
    )
    return opening
  }

  return async <T>(work: (db: IDBPDatabase<Schema>) => Promise<T>): Promise<T> => {
    for (let isRepeated = false; ;) {
      const current = connect()
      const timesCachedBefore = timesCached
      try {
        return await work(await current)
      } catch (error) {
        const wasCached = timesCached > timesCachedBefore
        if (!isConnectionLost(error) || (isRepeated && !wasCached)) throw error
        isRepeated ||= !wasCached
        forget(current)
      }
    }
  }
}
