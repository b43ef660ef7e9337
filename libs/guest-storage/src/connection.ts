import type { DBSchema, IDBPDatabase } from 'idb'

/**
 * Whether the browser has ended the connection. Safari does with pages in the background: then a transaction cannot be
 * started (InvalidStateError), is aborted (AbortError), or fails with "Connection to Indexed Database server lost".
 */
const isConnectionLost = (error: unknown): boolean =>
  error instanceof DOMException &&
  (['InvalidStateError', 'AbortError'].includes(error.name) ||
    /\bconnection\b.*\blost\b/i.test(error.message))

/**
 * Creates a function that calls `work` with the connection to a database, which the first call opens. If the browser has
 * ended the connection, it is opened again, and `work` is called once more.
 */
export const createConnection = <Schema extends DBSchema>(open: () => Promise<IDBPDatabase<Schema>>) => {
  let connection: Promise<IDBPDatabase<Schema>> | undefined

  const forget = (lost: Promise<IDBPDatabase<Schema>>): void => {
    if (connection === lost) connection = undefined
  }
  const connect = (): Promise<IDBPDatabase<Schema>> => {
    if (connection) return connection
    const opening = open()
    connection = opening
    opening.then(
      (db) => db.addEventListener('close', () => forget(opening)),
      () => forget(opening),
    )
    return opening
  }

  return async <T>(work: (db: IDBPDatabase<Schema>) => Promise<T>): Promise<T> => {
    const current = connect()
    try {
      return await work(await current)
    } catch (error) {
      if (!isConnectionLost(error)) throw error
      forget(current)
      return work(await connect())
    }
  }
}
