import type { DBSchema, IDBPDatabase } from 'idb'
import { createConnection } from './connection.ts'
import { getFileKey } from './file-key.ts'

/** A ticket of an earlier attempt to send a file. */
export interface StoredTicket {
  ticket: string
  credit: string
  uploadId: string
  /** Whether all bytes have been sent, so that only the completion is missing. */
  isSent: boolean
}

/** Why the server has refused a file. */
export interface Rejection {
  status: number
  code: string
  message: string
}

/** A file that the guest has chosen. Its bytes are stored apart, if the browser has enough storage. */
export interface UnsentRecord {
  key: string
  eventId: string
  /** The name under which it is sent. Undefined until the guest starts to send it. */
  credit?: string | undefined
  /** What the guest has agreed to, if the event asks for consent. */
  consentVersion?: string | undefined
  name: string
  type: string
  size: number
  lastModified: number
  /** When the guest chose it, in milliseconds since 1970. */
  storedAt: number
  /** The id of the tab whose list has it, or that sends it. */
  tabId: string
  ticket?: StoredTicket | undefined
  /** Set by the service worker, for the next visit. */
  rejection?: Rejection | undefined
}

export interface ClaimedFile {
  record: UnsentRecord
  bytes: Blob
}

interface Schema extends DBSchema {
  files: { key: string; value: UnsentRecord; indexes: { eventId: string } }
  bytes: { key: string; value: Blob }
}

/**
 * Finds tabs that are open right now. Returns whether an id is that of one. What they have is left to them. Called again if
 * the work is done again, which may be much later.
 */
type FindTabs = () => Promise<(tabId: string) => boolean>
const findNone: FindTabs = () => Promise.resolve(() => false)

/** The event id of files that were shared before the guest opened the page of an event. */
export const NO_EVENT = ''

const HOUR_MS = 60 * 60 * 1_000
const MAX_AGE_MS = 7 * 24 * HOUR_MS
const MAX_AGE_WITHOUT_EVENT_MS = 24 * HOUR_MS
const MAX_FILES = 1_000
const MAX_BYTES = 5 * 1024 ** 3
/** How much of the browser's quota stays free. */
const RESERVED_BYTES = 50 * 1024 ** 2

const createStores = (db: IDBPDatabase<Schema>): void => {
  db.createObjectStore('files', { keyPath: 'key' }).createIndex('eventId', 'eventId')
  db.createObjectStore('bytes')
}

const hasStorageFor = async (bytes: number): Promise<boolean> => {
  if (!('storage' in navigator) || !('estimate' in navigator.storage)) return true
  const { quota = Infinity, usage = 0 } = await navigator.storage.estimate()
  return usage + bytes <= Math.min(MAX_BYTES, quota - RESERVED_BYTES)
}

/** Opens the browser's database of unsent files, and removes those that are too old. Rejects if it is refused. */
export const openUnsentStore = async (now: () => number) => {
  const withDatabase = createConnection<Schema>('confetti-unsent-files', createStores)

  /** Removes files, but for those of other tabs. Returns how many files are left, of all events. */
  const remove = (keys: readonly string[], findOtherTabs = findNone): Promise<number> =>
    withDatabase(async (db) => {
      const isOfOtherTab = await findOtherTabs()
      const transaction = db.transaction(['files', 'bytes'], 'readwrite')
      const files = transaction.objectStore('files')
      for (const key of keys) {
        const record = await files.get(key)
        if (record && isOfOtherTab(record.tabId)) continue
        await Promise.all([files.delete(key), transaction.objectStore('bytes').delete(key)])
      }
      const left = await files.count()
      await transaction.done
      return left
    })

  const isExpired = ({ eventId, storedAt }: UnsentRecord): boolean =>
    storedAt < now() - (eventId === NO_EVENT ? MAX_AGE_WITHOUT_EVENT_MS : MAX_AGE_MS)

  const removeExpired = async (): Promise<void> => {
    const records = await withDatabase((db) => db.getAll('files'))
    await remove(records.filter(isExpired).map(({ key }) => key))
  }

  /** Makes `tabId` the tab of at most `limit` wanted files whose tab is closed. Returns them with their bytes. */
  const claimFree = (
    tabId: string,
    isWanted: (record: UnsentRecord) => boolean,
    findTabs: FindTabs,
    limit = Infinity,
  ): Promise<ClaimedFile[]> =>
    withDatabase(async (db) => {
      const isOpen = await findTabs()
      // One transaction, so that two tabs cannot claim the same file.
      const transaction = db.transaction(['files', 'bytes'], 'readwrite')
      const files = transaction.objectStore('files')
      const claimed: ClaimedFile[] = []
      // The smallest first, so that a large one that cannot be sent does not hold up the others.
      const records = (await files.getAll()).sort((a, b) => a.size - b.size)
      for (const record of records) {
        const bytes =
          claimed.length < limit && isWanted(record) && !isOpen(record.tabId)
            ? await transaction.objectStore('bytes').get(record.key)
            : undefined
        if (!bytes) continue
        await files.put({ ...record, tabId })
        claimed.push({ record, bytes })
      }
      await transaction.done
      return claimed
    })

  await removeExpired()
  return {
    remove,

    /**
     * Adds a file, or changes it. Its ticket and its age are kept. Does nothing if there are too many files, or if another
     * tab has the file: that tab sends it.
     */
    add: (record: UnsentRecord, findOtherTabs = findNone): Promise<void> =>
      withDatabase(async (db) => {
        const isOfOtherTab = await findOtherTabs()
        const { store, done } = db.transaction('files', 'readwrite')
        const existing = await store.get(record.key)
        const ticket = record.ticket ?? existing?.ticket
        const storedAt = existing?.storedAt ?? record.storedAt
        const isOurs = existing ? !isOfOtherTab(existing.tabId) : (await store.count()) < MAX_FILES
        if (isOurs) await store.put({ ...record, ticket, storedAt })
        await done
      }),

    /** Saves the ticket of a file, unless another tab has the file. */
    saveTicket: (key: string, ticket: StoredTicket | undefined, findOtherTabs = findNone): Promise<void> =>
      withDatabase(async (db) => {
        const isOfOtherTab = await findOtherTabs()
        const { store, done } = db.transaction('files', 'readwrite')
        const record = await store.get(key)
        if (record && !isOfOtherTab(record.tabId)) await store.put({ ...record, ticket })
        await done
      }),

    saveRejection: (key: string, rejection: Rejection): Promise<void> =>
      withDatabase(async (db) => {
        const { store, done } = db.transaction('files', 'readwrite')
        const record = await store.get(key)
        if (record) await store.put({ ...record, rejection })
        await done
      }),

    /**
     * Stores the bytes of a file, unless it has been removed or the storage is full. Returns whether they are stored.
     * Rejects if the browser cannot write or read them.
     */
    addBytes: (key: string, bytes: Blob): Promise<boolean> =>
      withDatabase(async (db) => {
        if (await db.getKey('bytes', key)) return true
        if (!(await hasStorageFor(bytes.size))) return false
        const transaction = db.transaction(['files', 'bytes'], 'readwrite')
        const exists = (await transaction.objectStore('files').getKey(key)) !== undefined
        // Both reject where the browser cannot store bytes, as in private windows of Safari.
        await Promise.all([exists && transaction.objectStore('bytes').put(bytes, key), transaction.done])
        return exists
      }),

    /** Returns the files of an event, and the keys of those whose bytes are stored. */
    list: (eventId: string): Promise<{ records: UnsentRecord[]; keysWithBytes: Set<string> }> =>
      withDatabase(async (db) => {
        const transaction = db.transaction(['files', 'bytes'])
        const records = await transaction.objectStore('files').index('eventId').getAll(eventId)
        const keysWithBytes = new Set(await transaction.objectStore('bytes').getAllKeys())
        await transaction.done
        return { records, keysWithBytes }
      }),

    /** Moves the files that were shared without an event to an event. */
    assignToEvent: (eventId: string): Promise<void> =>
      withDatabase(async (db) => {
        const transaction = db.transaction(['files', 'bytes'], 'readwrite')
        const [files, bytes] = [transaction.objectStore('files'), transaction.objectStore('bytes')]
        for (const record of await files.index('eventId').getAll(NO_EVENT)) {
          const key = getFileKey(eventId, record)
          const fileBytes = await bytes.get(record.key)
          await Promise.all([files.delete(record.key), bytes.delete(record.key)])
          await files.put({ ...record, key, eventId })
          if (fileBytes) await bytes.put(fileBytes, key)
        }
        await transaction.done
      }),

    /** Makes `tabId` the tab of an event's files whose tab is closed. Returns those whose bytes are stored. */
    claim: (eventId: string, tabId: string, findTabs: FindTabs): Promise<ClaimedFile[]> =>
      claimFree(tabId, (record) => record.eventId === eventId, findTabs),

    /** The same for one file, of any event, that the guest has started to send and the server has not refused. */
    claimStarted: async (tabId: string, findTabs: FindTabs): Promise<ClaimedFile | undefined> =>
      (await claimFree(tabId, isStarted, findTabs, 1))[0],

    /** Whether any file has been started whose bytes are stored. */
    hasStarted: (): Promise<boolean> =>
      withDatabase(async (db) => {
        const keysWithBytes = await db.getAllKeys('bytes')
        const records = await db.getAll('files')
        return records.some((record) => isStarted(record) && keysWithBytes.includes(record.key))
      }),
  }
}

const isStarted = ({ credit, rejection }: UnsentRecord): boolean => credit !== undefined && !rejection

export type UnsentStore = Awaited<ReturnType<typeof openUnsentStore>>
