import { openDB, type DBSchema } from 'idb'

/** What the guest page knows and the service worker, which cannot read local storage, needs. */
interface Settings {
  /** The event whose guest page was opened last, unless it accepts no more uploads: `NO_EVENT` then. */
  lastEventId: string
  apiUrl: string
  guestToken: string
}

interface Schema extends DBSchema {
  settings: { key: string; value: string }
}

// Apart from the unsent files, whose database earlier releases open with their own version.
const open = () =>
  openDB<Schema>('confetti-guest-settings', 1, {
    upgrade: (db) => {
      db.createObjectStore('settings')
    },
  })

/** Stores a setting. Rejects where the browser refuses the database. */
export const setSetting = async (name: keyof Settings, value: string): Promise<void> => {
  const db = await open()
  await db.put('settings', value, name)
  db.close()
}

/** Returns a setting, if it is stored. Rejects where the browser refuses the database. */
export const getSetting = async (name: keyof Settings): Promise<string | undefined> => {
  const db = await open()
  const value = await db.get('settings', name)
  db.close()
  return value
}
