import { openDB, type DBSchema, type IDBPDatabase } from 'idb'

/** A ticket of an earlier attempt to send a file. */
export interface StoredTicket {
  ticket: string
  credit: string
  uploadId: string
  /** Whether all bytes have been sent, so that only the completion is missing. */
  isSent: boolean
}

/** A file that the guest has started to send. Its bytes are stored apart, if the browser has room for them. */
export interface UnsentRecord {
  key: string
  eventId: string
  credit: string
  name: string
  type: string
  size: number
  lastModified: number
  /** When the guest started to send it, in milliseconds since 1970. */
  storedAt: number
  /** The id of the tab that sends it. */
  tabId: string
  ticket?: StoredTicket | undefined
}

interface Schema extends DBSchema {
  files: { key: string; value: UnsentRecord; indexes: { eventId: string } }
  bytes: { key: string; value: Blob }
}

const MAX_AGE_MS = 24 * 60 * 60 * 1_000

const open = (): Promise<IDBPDatabase<Schema>> =>
  openDB<Schema>('confetti-unsent-files', 1, {
    upgrade: (db) => {
      db.createObjectStore('files', { keyPath: 'key' }).createIndex('eventId', 'eventId')
      db.createObjectStore('bytes')
    },
  })

/** Opens the browser's database of unsent files, and removes those of more than 24 hours ago. Rejects if it is refused. */
export const openUnsentStore = async (now: () => number) => {
  const db = await open()

  /** Returns how many files are left, of all events. */
  const remove = async (keys: readonly string[]): Promise<number> => {
    const transaction = db.transaction(['files', 'bytes'], 'readwrite')
    for (const key of keys) {
      void transaction.objectStore('files').delete(key)
      void transaction.objectStore('bytes').delete(key)
    }
    const left = await transaction.objectStore('files').count()
    await transaction.done
    return left
  }

  const removeExpired = async (): Promise<void> => {
    const records = await db.getAll('files')
    await remove(records.filter(({ storedAt }) => storedAt < now() - MAX_AGE_MS).map(({ key }) => key))
  }

  await removeExpired()
  return {
    remove,

    /** Adds a file. The ticket of an earlier visit is kept. */
    add: async (record: UnsentRecord): Promise<void> => {
      const { store, done } = db.transaction('files', 'readwrite')
      const ticket = record.ticket ?? (await store.get(record.key))?.ticket
      await store.put({ ...record, ticket })
      await done
    },

    saveTicket: async (key: string, ticket: StoredTicket | undefined): Promise<void> => {
      const { store, done } = db.transaction('files', 'readwrite')
      const record = await store.get(key)
      if (record) await store.put({ ...record, ticket })
      await done
    },

    /** Stores the bytes of a file, unless it has been removed. Rejects if there is no room for them. */
    addBytes: async (key: string, bytes: Blob): Promise<void> => {
      const transaction = db.transaction(['files', 'bytes'], 'readwrite')
      if (await transaction.objectStore('files').getKey(key))
        await transaction.objectStore('bytes').put(bytes, key)
      await transaction.done
    },

    /** Returns the files of an event, and the keys of those whose bytes are stored. */
    list: async (eventId: string): Promise<{ records: UnsentRecord[]; keysWithBytes: Set<string> }> => {
      const transaction = db.transaction(['files', 'bytes'])
      const records = await transaction.objectStore('files').index('eventId').getAll(eventId)
      const keysWithBytes = new Set(await transaction.objectStore('bytes').getAllKeys())
      await transaction.done
      return { records, keysWithBytes }
    },

    /** Makes `tabId` the tab that sends the files whose tab `isOpen` denies. Returns those whose bytes are stored. */
    claim: async (
      eventId: string,
      tabId: string,
      isOpen: (tabId: string) => boolean,
    ): Promise<{ record: UnsentRecord; bytes: Blob }[]> => {
      // One transaction, so that two tabs cannot claim the same file.
      const transaction = db.transaction(['files', 'bytes'], 'readwrite')
      const files = transaction.objectStore('files')
      const claimed: { record: UnsentRecord; bytes: Blob }[] = []
      for (const record of await files.index('eventId').getAll(eventId)) {
        const bytes = isOpen(record.tabId)
          ? undefined
          : await transaction.objectStore('bytes').get(record.key)
        if (!bytes) continue
        await files.put({ ...record, tabId })
        claimed.push({ record, bytes })
      }
      await transaction.done
      return claimed
    },
  }
}

export type UnsentStore = Awaited<ReturnType<typeof openUnsentStore>>
