import { browserStorage } from '@confetti/api-client'
import { getFileKey } from '../file-key.ts'
import { withTimeout } from '../time-limit.ts'
import { HAS_UNSENT_FILES_KEY } from './has-unsent-files.ts'
import { findOpenTabs, markTabOpen, TAB_ID } from './open-tabs.ts'
import { openUnsentStore, type StoredTicket, type UnsentStore } from './unsent-store.ts'

/** A file of an earlier visit that has not been sent. */
export interface UnsentFile {
  key: string
  credit: string
  /** Whether the browser has its bytes. Otherwise the guest has to choose it again. */
  hasBytes: boolean
}

/** A hanging database must not hold up sending. */
const STORE_TIMEOUT_MS = 3_000
/** How much of the browser's quota stays free. */
const RESERVED_BYTES = 50 * 1024 * 1024

let opening: Promise<UnsentStore> | undefined

/** Uses the store. Where the browser refuses it, or does not answer in time, it returns `fallback`. */
const useStore = async <T>(fallback: T, work: (store: UnsentStore) => Promise<T>): Promise<T> => {
  try {
    return await withTimeout(
      STORE_TIMEOUT_MS,
      () => new Error('The browser storage does not respond.'),
      async () => {
        opening ??= openUnsentStore(Date.now)
        return work(await opening)
      },
    )
  } catch {
    return fallback
  }
}

const hasQuotaFor = async (bytes: number): Promise<boolean> => {
  if (!('storage' in navigator) || !('estimate' in navigator.storage)) return true
  const { quota, usage = 0 } = await navigator.storage.estimate()
  return quota === undefined || usage + bytes + RESERVED_BYTES <= quota
}

const createUnsentFiles = (eventId: string) => {
  // Bytes are copied one file after the other, in the order of sending, and not in the way of other changes.
  let copying: Promise<void> = Promise.resolve()
  const removedKeys = new Set<string>()

  const copyBytes = async (key: string, file: File): Promise<void> => {
    if (removedKeys.has(key) || !(await hasQuotaFor(file.size))) return
    const store = await opening
    // A slice is a Blob: Safari keeps a File only as long as the page lives.
    await store?.addBytes(key, file.slice(0, file.size, file.type))
  }

  const listUnsent = () =>
    useStore([], async (store) => {
      const isTabOpen = await findOpenTabs()
      const { records, keysWithBytes } = await store.list(eventId)
      return records
        .filter(({ tabId }) => !isTabOpen(tabId))
        .map((record) => ({ ...record, hasBytes: keysWithBytes.has(record.key) }))
    })

  // Read before this visit changes it.
  const earlier = browserStorage.get(HAS_UNSENT_FILES_KEY) ? listUnsent() : Promise.resolve([])

  const add = (key: string, file: File, credit: string): void => {
    const { name, type, size, lastModified } = file
    const record = {
      key,
      eventId,
      credit,
      name,
      type,
      size,
      lastModified,
      storedAt: Date.now(),
      tabId: TAB_ID,
    }
    removedKeys.delete(key)
    markTabOpen()
    const added = earlier.then(() =>
      useStore(undefined, async (store) => {
        await store.add(record)
        // Afterwards, because another tab resets it when it leaves the store empty.
        browserStorage.set(HAS_UNSENT_FILES_KEY, '1')
      }),
    )
    copying = Promise.all([copying, added])
      .then(() => copyBytes(key, file))
      .catch(() => undefined)
  }

  const remove = (keys: readonly string[]): void => {
    for (const key of keys) removedKeys.add(key)
    void earlier.then(() =>
      useStore(undefined, async (store) => {
        if ((await store.remove(keys)) === 0) browserStorage.remove(HAS_UNSENT_FILES_KEY)
      }),
    )
  }

  return {
    add,
    remove,
    /** Returns the files of earlier visits that no open tab is sending. */
    list: (): Promise<readonly UnsentFile[]> => listUnsent(),

    /** Returns the ticket that a file got in an earlier visit. */
    findStoredTicket: async (file: File): Promise<StoredTicket | undefined> => {
      const key = getFileKey(eventId, file)
      return (await earlier).find((record) => record.key === key)?.ticket
    },
    saveTicket: (file: File, ticket: StoredTicket | undefined): void => {
      const key = getFileKey(eventId, file)
      void earlier.then(() => useStore(undefined, (store) => store.saveTicket(key, ticket)))
    },

    /** Takes over the files of earlier visits whose bytes are stored. */
    claim: (): Promise<readonly File[]> =>
      useStore<readonly File[]>([], async (store) => {
        markTabOpen()
        const claimed = await store.claim(eventId, TAB_ID, await findOpenTabs())
        return claimed.map(
          ({ record: { name, type, lastModified }, bytes }) =>
            new File([bytes], name, { type, lastModified }),
        )
      }),
  }
}

export type UnsentFiles = ReturnType<typeof createUnsentFiles>

const filesByEvent = new Map<string, UnsentFiles>()

/** Returns the files of an event that the guest has started to send. */
export const getUnsentFiles = (eventId: string): UnsentFiles => {
  const files = filesByEvent.get(eventId) ?? createUnsentFiles(eventId)
  filesByEvent.set(eventId, files)
  return files
}
