import { browserStorage, getGuestToken, withTimeout } from '@confetti/api-client'
import {
  createTabId,
  findOpenTabs,
  getFileKey,
  getSetting,
  markTabOpen,
  NO_EVENT,
  openUnsentStore,
  setSetting,
  type ClaimedFile,
  type StoredTicket,
  type UnsentRecord,
  type UnsentStore,
} from '@confetti/guest-storage'
import { site } from '@confetti/session'
import { examineFiles } from '../recognise-types.ts'
import { PIN_REQUIRED, type RestoredFile, type SelectedFile } from '../selected-files.ts'
import type { QueueState } from '../send-queue.ts'
import { HAS_UNSENT_FILES_KEY, readConsent } from '../upload-history.ts'

/** What earlier visits of the page, and other tabs, have left. */
interface EarlierFiles {
  /** Those whose bytes are stored. They belong to this tab now. */
  restored: readonly RestoredFile[]
  /** The keys of those that the guest has to choose again. */
  missingKeys: readonly string[]
  /** The open tabs that have files of the event. */
  otherTabIds: readonly string[]
}

/**
 * In local storage: the keys of files that need not be kept any more. The database removes them later, perhaps after the
 * page has been reloaded.
 */
const SETTLED_KEYS = 'settledFiles'
const MAX_SETTLED_KEYS = 200
const readSettledKeys = (): string[] => browserStorage.get(SETTLED_KEYS)?.split('\n') ?? []
const changeSettledKeys = (change: (keys: readonly string[]) => readonly string[]): void => {
  const keys = change(readSettledKeys()).slice(-MAX_SETTLED_KEYS)
  if (keys.length === 0) browserStorage.remove(SETTLED_KEYS)
  else browserStorage.set(SETTLED_KEYS, keys.join('\n'))
}
const forgetSettledKeys = (forgotten: readonly string[]): void =>
  changeSettledKeys((keys) => keys.filter((key) => !forgotten.includes(key)))

/** A hanging database must not hold up sending. */
const STORE_TIMEOUT_MS = 3_000

/** The id of this tab, until its page is left. */
export const TAB_ID = createTabId()

let opening: Promise<UnsentStore> | undefined
let isMarked = false

const markOpen = (): void => {
  if (!isMarked) markTabOpen(TAB_ID)
  isMarked = true
}

/** Includes this tab, also where the browser has no locks. */
const findTabs = async (): Promise<(tabId: string) => boolean> => {
  const isOpen = await findOpenTabs()
  return (tabId) => tabId === TAB_ID || isOpen(tabId)
}

const findOtherTabs = async (): Promise<(tabId: string) => boolean> => {
  const isOpen = await findOpenTabs()
  return (tabId) => tabId !== TAB_ID && isOpen(tabId)
}

/** Opens the store once. After a failure, the next call tries again. */
const openStore = (): Promise<UnsentStore> => {
  opening ??= openUnsentStore(Date.now).catch((error: unknown) => {
    opening = undefined
    throw error
  })
  return opening
}

/** Uses the store. Where the browser refuses it, or does not answer in time, it returns `fallback`. */
const useStore = async <T>(fallback: T, work: (store: UnsentStore) => Promise<T>): Promise<T> => {
  try {
    return await withTimeout(
      STORE_TIMEOUT_MS,
      () => new Error('The browser storage does not respond.'),
      async () => work(await openStore()),
    )
  } catch {
    return fallback
  }
}

const removeStored = async (store: UnsentStore, keys: readonly string[]): Promise<void> => {
  const left = await store.remove(keys, findOtherTabs)
  forgetSettledKeys(keys)
  if (left === 0) browserStorage.remove(HAS_UNSENT_FILES_KEY)
}

const toRestoredFiles = async (claimed: readonly ClaimedFile[]): Promise<RestoredFile[]> => {
  // A file that was shared with the app may have any type.
  const examined = await examineFiles(
    claimed.map(
      ({ record: { name, type, lastModified }, bytes }) => new File([bytes], name, { type, lastModified }),
    ),
  )
  return examined.map((each, index) => {
    const { credit, rejection } = claimed[index]?.record ?? {}
    // The page asks for the PIN, and goes on then.
    return { ...each, credit, rejection: rejection?.code === PIN_REQUIRED ? undefined : rejection }
  })
}

const createUnsentFiles = (eventId: string) => {
  // Bytes are copied one file after the other, in the order of sending, and not in the way of other changes.
  let copying: Promise<void> = Promise.resolve()
  const removedKeys = new Set<string>()

  const copyBytes = async (key: string, file: File): Promise<void> => {
    if (removedKeys.has(key)) return
    const store = await opening
    // A slice is a Blob: Safari keeps a File only as long as the page lives.
    await store?.addBytes(key, file.slice(0, file.size, file.type))
  }

  // Read before this visit changes it.
  const earlier: Promise<readonly UnsentRecord[]> = browserStorage.get(HAS_UNSENT_FILES_KEY)
    ? useStore([], async (store) => {
        const isOfOtherTab = await findOtherTabs()
        const { records } = await store.list(eventId)
        return records.filter(({ tabId }) => !isOfOtherTab(tabId))
      })
    : Promise.resolve([])

  const add = (key: string, file: File, credit: string | undefined): void => {
    const { name, type, size, lastModified } = file
    const metadata = { name, type, size, lastModified }
    const consentVersion = readConsent(eventId)
    const record = { key, eventId, credit, consentVersion, ...metadata, storedAt: Date.now(), tabId: TAB_ID }
    removedKeys.delete(key)
    forgetSettledKeys([key])
    markOpen()
    const added = earlier.then(() =>
      useStore(undefined, async (store) => {
        await store.add(record, findOtherTabs)
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
    changeSettledKeys((settled) => [...settled, ...keys])
    void earlier.then(() => useStore(undefined, (store) => removeStored(store, keys)))
  }

  return {
    add,
    remove,

    /** Returns the ticket that a file got in an earlier visit. */
    findStoredTicket: async (file: File): Promise<StoredTicket | undefined> => {
      const key = getFileKey(eventId, file)
      return (await earlier).find((record) => record.key === key)?.ticket
    },
    saveTicket: (file: File, ticket: StoredTicket | undefined): void => {
      const key = getFileKey(eventId, file)
      void earlier.then(() => useStore(undefined, (store) => store.saveTicket(key, ticket, findOtherTabs)))
    },

    /** Returns the keys of the files that earlier visits have left, without those of open tabs. */
    listEarlierKeys: (): Promise<string[]> =>
      useStore([], async (store) => {
        const isOpen = await findTabs()
        const { records } = await store.list(eventId)
        const settledKeys = readSettledKeys()
        return records
          .filter(({ key, tabId }) => !isOpen(tabId) && !settledKeys.includes(key))
          .map(({ key }) => key)
      }),

    /**
     * Takes over the files of closed tabs, of the service worker, and those that were shared without an event. Has no
     * time limit: files that it claimed later would belong to this tab and not be in its list. Rejects where the browser
     * refuses the store.
     */
    claim: async (): Promise<EarlierFiles> => {
      markOpen()
      const store = await openStore()
      const settledKeys = readSettledKeys()
      // Before the same file, which was shared with the app since, gets the same key.
      if (settledKeys.length > 0) await removeStored(store, settledKeys)
      await store.assignToEvent(eventId)
      // Before: the page waits for a tab that is closed meanwhile, and then claims its files.
      const isOpen = await findTabs()
      const claimed = await store.claim(eventId, TAB_ID, findTabs)
      const { records, keysWithBytes } = await store.list(eventId)
      const isMissing = ({ key, tabId }: UnsentRecord) => !keysWithBytes.has(key) && !isOpen(tabId)
      const otherTabs = records.filter(({ tabId }) => tabId !== TAB_ID && isOpen(tabId))
      return {
        restored: await toRestoredFiles(claimed),
        missingKeys: records.filter(isMissing).map(({ key }) => key),
        otherTabIds: [...new Set(otherTabs.map(({ tabId }) => tabId))],
      }
    },
  }
}

export type UnsentFiles = ReturnType<typeof createUnsentFiles>

const filesByEvent = new Map<string, UnsentFiles>()

/** Returns the stored files of an event: those that the guest has chosen and the server does not have yet. */
export const getUnsentFiles = (eventId: string): UnsentFiles => {
  const files = filesByEvent.get(eventId) ?? createUnsentFiles(eventId)
  filesByEvent.set(eventId, files)
  return files
}

/** Whether the server may still accept a file: of a closed event, only what is being sent, or sent again. */
const isUnsent = ({ status, isRejected }: SelectedFile, isClosed: boolean): boolean =>
  status === 'queued' ||
  status === 'sending' ||
  (!isClosed && (status === 'ready' || (status === 'failed' && !isRejected)))

/**
 * Creates a listener of a queue that stores its files from the moment that they are chosen, and removes those that are
 * sent, refused or removed. A file is stored with the guest's name once it is to be sent.
 */
export const createUnsentFilesTracker = (
  eventId: string,
  { add, remove }: Pick<UnsentFiles, 'add' | 'remove'>,
) => {
  let tracked: ReadonlyMap<string, string | undefined> = new Map()

  return ({ files, closedError, credit }: QueueState): void => {
    const unsent = new Map<string, string | undefined>()
    for (const selected of files) {
      if (!isUnsent(selected, closedError !== undefined)) continue
      const key = getFileKey(eventId, selected.file)
      const startedAs = selected.status === 'ready' ? undefined : credit
      unsent.set(key, startedAs)
      if (!tracked.has(key) || tracked.get(key) !== startedAs) add(key, selected.file, startedAs)
    }
    const removedKeys = [...tracked.keys()].filter((key) => !unsent.has(key))
    if (removedKeys.length > 0) remove(removedKeys)
    tracked = unsent
  }
}

/**
 * Stores what the service worker needs: the event that shared files are for, if it accepts uploads, the API, and the
 * guest's token and passes for it.
 */
export const storeForServiceWorker = async (eventId: string, uploadsOpen: boolean): Promise<void> => {
  if (uploadsOpen) await setSetting('lastEventId', eventId)
  else if ((await getSetting('lastEventId')) === eventId) await setSetting('lastEventId', NO_EVENT)
  await setSetting('apiUrl', site().apiUrl)
  const guestToken = getGuestToken()
  if (guestToken) await setSetting('guestToken', guestToken)
  const passes = browserStorage.get('eventPasses')
  if (passes) await setSetting('eventPasses', passes)
}
