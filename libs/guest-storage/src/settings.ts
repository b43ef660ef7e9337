import type { DBSchema, IDBPDatabase } from 'idb'
import { createConnection } from './connection.ts'

/** What the guest page knows and the service worker, which cannot read local storage, needs. */
interface Settings {
  /** The event whose guest page was opened last, unless it accepts no more uploads: `NO_EVENT` then. */
  lastEventId: string
  apiUrl: string
  guestToken: string
  /** The guest's passes for events with a PIN, as JSON. */
  eventPasses: string
}

interface Schema extends DBSchema {
  settings: { key: string; value: string }
}

// Apart from the unsent files, whose database earlier releases open with their own version.
const NAME = 'confetti-guest-settings'

/** Connects for one piece of work. */
const withDatabase = <T>(work: (db: IDBPDatabase<Schema>) => Promise<T>): Promise<T> =>
  createConnection<Schema>(
    NAME,
    (db) => void db.createObjectStore('settings'),
  )(async (db) => {
    const result = await work(db)
    db.close()
    return result
  })

/** Stores a setting. Rejects where the browser refuses the database. */
export const setSetting = async (name: keyof Settings, value: string): Promise<void> => {
  await withDatabase((db) => db.put('settings', value, name))
}

/** Returns a setting, if it is stored. Rejects where the browser refuses the database. */
export const getSetting = (name: keyof Settings): Promise<string | undefined> =>
  withDatabase((db) => db.get('settings', name))
