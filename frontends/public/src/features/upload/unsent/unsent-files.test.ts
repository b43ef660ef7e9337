import 'fake-indexeddb/auto'
import { beforeEach, expect, jest, test } from '@jest/globals'
import { ApiError } from '@confetti/api-client'
import { getFileKey, openUnsentStore, type UnsentRecord } from '@confetti/guest-storage'
import { addEnglishTexts } from '@confetti/i18n'
import failures from '@confetti/ui/locales/failures/en.json' with { type: 'json' }
import english from '../../../../locales/guests/en.json' with { type: 'json' }
import { HAS_UNSENT_FILES_KEY } from '../upload-history.ts'
import { createUnsentFilesTracker, getUnsentFiles, TAB_ID } from './unsent-files.ts'
import type { SelectedFile } from '../selected-files.ts'

addEnglishTexts({ ...english, ...failures })

const ticket = { ticket: 'ticket-1', credit: 'Table 4', uploadId: 'upload-1', isSent: false }

let eventNumber = 0
let eventId = ''
let openTabs: string[]
let quota: number
const localValues = new Map<string, string>()

beforeEach(async () => {
  const { records } = await listAll()
  await (await openUnsentStore(Date.now)).remove(records.map(({ key }) => key))
  eventNumber += 1
  eventId = `event-${eventNumber}`
  openTabs = []
  quota = Infinity
  localValues.clear()
  Object.assign(globalThis, {
    localStorage: {
      getItem: (key: string) => localValues.get(key) ?? null,
      setItem: (key: string, value: string) => localValues.set(key, value),
      removeItem: (key: string) => localValues.delete(key),
    },
  })
  Object.defineProperty(globalThis, 'navigator', {
    configurable: true,
    value: {
      locks: {
        request: () => Promise.resolve(),
        query: () => Promise.resolve({ held: openTabs.map((id) => ({ name: `confetti-tab-${id}` })) }),
      },
      storage: { estimate: () => Promise.resolve({ quota, usage: 0 }) },
    },
  })
})

const createFile = (name: string, lastModified = 1): File =>
  new File([`bytes of ${name}`], name, { type: 'image/jpeg', lastModified })
const createRecord = (name: string, changes: Partial<UnsentRecord> = {}): UnsentRecord => {
  const { type, size, lastModified } = createFile(name)
  const key = getFileKey(eventId, createFile(name))
  return {
    ...{ key, eventId, credit: 'Table 4', name, type, size, lastModified },
    ...{ storedAt: Date.now(), tabId: 'closed tab', ...changes },
  }
}
/** Stores files as an earlier visit of the page did. */
const storeEarlier = async (...records: (UnsentRecord & { bytes?: Blob })[]): Promise<void> => {
  localValues.set(HAS_UNSENT_FILES_KEY, '1')
  const store = await openUnsentStore(Date.now)
  for (const { bytes, ...record } of records) {
    await store.add(record)
    if (bytes) await store.addBytes(record.key, bytes)
  }
}
const withBytes = (name: string, changes?: Partial<UnsentRecord>) => ({
  ...createRecord(name, changes),
  bytes: new Blob([`bytes of ${name}`]),
})
/** Waits until a condition holds. */
const eventually = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  const endsAt = performance.now() + 20_000
  while (!(await condition())) {
    if (performance.now() > endsAt) throw new Error('The condition was not met.')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
const listAll = async () => (await openUnsentStore(Date.now)).list(eventId)

test('When an earlier visit left files, then they are restored with their bytes, and named without', async () => {
  await storeEarlier(withBytes('a.jpg'), createRecord('b.jpg'), withBytes('c.jpg', { credit: undefined }))
  const { restored, missingKeys, otherTabIds } = await getUnsentFiles(eventId).claim()
  expect(restored.map(({ file, credit }) => [file.name, credit])).toEqual([
    ['a.jpg', 'Table 4'],
    ['c.jpg', undefined],
  ])
  const [file] = restored.map((each) => each.file)
  expect([file?.type, file?.lastModified]).toEqual(['image/jpeg', 1])
  expect(await file?.text()).toBe('bytes of a.jpg')
  expect(missingKeys).toEqual([createRecord('b.jpg').key])
  expect(otherTabIds).toEqual([])
})

test('When an open tab has files, then they are not restored, and the tab is named', async () => {
  await storeEarlier(withBytes('a.jpg', { tabId: 'open tab' }), withBytes('b.jpg'))
  openTabs = ['open tab']
  const { restored, missingKeys, otherTabIds } = await getUnsentFiles(eventId).claim()
  expect(restored.map(({ file }) => file.name)).toEqual(['b.jpg'])
  expect(missingKeys).toEqual([])
  expect(otherTabIds).toEqual(['open tab'])
})

test('When a file of an earlier visit is chosen again, then its ticket is found and kept', async () => {
  await storeEarlier(createRecord('a.jpg', { ticket }))
  const unsentFiles = getUnsentFiles(eventId)
  const file = createFile('a.jpg')
  unsentFiles.add(getFileKey(eventId, file), file, 'Table 4')
  expect(await unsentFiles.findStoredTicket(file)).toEqual(ticket)
  expect(await unsentFiles.findStoredTicket(createFile('a.jpg', 2))).toBeUndefined()
  await eventually(async () => (await listAll()).records[0]?.tabId === TAB_ID)
  expect((await listAll()).records[0]?.ticket).toEqual(ticket)
})

test('When the file that is chosen is being sent by an open tab, then that tab keeps it, and its ticket is not used', async () => {
  await storeEarlier(withBytes('a.jpg', { tabId: 'open tab', ticket }), createRecord('b.jpg'))
  openTabs = ['open tab']
  const unsentFiles = getUnsentFiles(eventId)
  const track = createUnsentFilesTracker(eventId, unsentFiles)
  const [a, b] = ['a.jpg', 'b.jpg'].map((name) => createFile(name)) as [File, File]
  const update = (status: SelectedFile['status']): void =>
    track({
      files: [a, b].map((file, id) => ({ id, file, status, sentBytes: 0 })),
      ...{ pauseReason: undefined, closedError: undefined, isConsentMissing: false, credit: 'Table 5' },
    })
  update('sending')
  expect(await unsentFiles.findStoredTicket(a)).toBeUndefined()
  await eventually(async () => (await listAll()).records.some(({ tabId }) => tabId === TAB_ID))
  update('sent')
  await eventually(async () => (await listAll()).records.length === 1)
  const { records, keysWithBytes } = await listAll()
  expect(records).toMatchObject([{ name: 'a.jpg', tabId: 'open tab', credit: 'Table 4', ticket }])
  expect(keysWithBytes.size).toBe(1)
})

test('When files are chosen and sent, then the store has them with their bytes until each is sent', async () => {
  const unsentFiles = getUnsentFiles(eventId)
  const track = createUnsentFilesTracker(eventId, unsentFiles)
  const select = (file: File, changes: Partial<SelectedFile>): SelectedFile => ({
    ...{ id: 1, file, status: 'queued', sentBytes: 0, ...changes },
  })
  const update = (...files: SelectedFile[]): void =>
    track({
      files,
      pauseReason: undefined,
      closedError: undefined,
      isConsentMissing: false,
      credit: 'Table 4',
    })
  const [a, b, c] = [createFile('a.jpg'), createFile('b.jpg'), createFile('c.jpg')]
  const listNames = async (): Promise<string> => (await listAll()).records.map(({ name }) => name).join(' ')
  const listStarted = async (): Promise<string> =>
    (await listAll()).records
      .filter(({ credit }) => credit === 'Table 4')
      .map(({ name }) => name)
      .join(' ')

  update(select(a, { status: 'ready' }), select(b, { status: 'ready' }), select(c, { status: 'invalid' }))
  await eventually(async () => (await listAll()).keysWithBytes.has(getFileKey(eventId, b)))
  expect(await listNames()).toBe('a.jpg b.jpg')
  expect(await listStarted()).toBe('')
  expect(localValues.has(HAS_UNSENT_FILES_KEY)).toBe(true)

  update(select(a, { status: 'sending' }), select(b, {}))
  await eventually(async () => (await listStarted()) === 'a.jpg b.jpg')

  update(select(a, { status: 'sent' }), select(b, { status: 'failed' }))
  await eventually(async () => (await listNames()) === 'b.jpg')

  update(select(b, { status: 'failed', isRejected: true }))
  await eventually(async () => (await listNames()) === '')
  await eventually(() => !localValues.has(HAS_UNSENT_FILES_KEY))
  expect((await listAll()).keysWithBytes.has(getFileKey(eventId, b))).toBe(false)
})

test('When a file that was chosen is sent, then its bytes are not stored once more', async () => {
  const unsentFiles = getUnsentFiles(eventId)
  const track = createUnsentFilesTracker(eventId, unsentFiles)
  const put = jest.spyOn(IDBObjectStore.prototype, 'put')
  const [a, b] = [createFile('a.jpg'), createFile('b.jpg')]
  const update = (...files: [File, SelectedFile['status']][]): void =>
    track({
      files: files.map(([file, status], id) => ({ id, file, status, sentBytes: 0 })),
      ...{ pauseReason: undefined, closedError: undefined, isConsentMissing: false, credit: 'Table 4' },
    })
  update([a, 'ready'])
  update([a, 'sending'])
  update([a, 'failed'])
  // Bytes are stored in order, so what is to be done about the first file is done when the second is stored.
  update([a, 'sending'], [b, 'queued'])
  await eventually(async () => (await listAll()).keysWithBytes.has(getFileKey(eventId, b)))
  const storedKeys = put.mock.calls.filter(([value]) => value instanceof Blob).map(([, key]) => key)
  put.mockRestore()
  expect(storedKeys).toEqual([a, b].map((file) => getFileKey(eventId, file)))
})

/** Removes a file as on a page that is reloaded before the database knows of it. */
const removeUnnoticed = async (key: string): Promise<void> => {
  const query = jest.spyOn(navigator.locks, 'query').mockRejectedValue(new Error('The page is left.'))
  getUnsentFiles(eventId).remove([key])
  await new Promise((resolve) => setTimeout(resolve))
  query.mockRestore()
}

test('When the page is reloaded before the database knows what was sent, then that is not sent again', async () => {
  await storeEarlier(withBytes('a.jpg'), withBytes('b.jpg'))
  await getUnsentFiles(eventId).listEarlierKeys()
  await removeUnnoticed(createRecord('a.jpg').key)

  jest.resetModules()
  const { getUnsentFiles: getAfterReload } = await import('./unsent-files.ts')
  const { restored } = await getAfterReload(eventId).claim()
  expect(restored.map(({ file }) => file.name)).toEqual(['b.jpg'])
  const { records } = await listAll()
  expect(records.map(({ name }) => name)).toEqual(['b.jpg'])
})

test('When a file that was sent is chosen again, then it is kept again', async () => {
  const file = createFile('a.jpg')
  const key = getFileKey(eventId, file)
  const unsentFiles = getUnsentFiles(eventId)
  await removeUnnoticed(key)
  unsentFiles.add(key, file, 'Table 4')
  await eventually(async () => (await listAll()).keysWithBytes.has(key))
  await unsentFiles.claim()
  expect((await listAll()).keysWithBytes.has(key)).toBe(true)
})

test('When the event closes, then its files are removed, but those that are being sent only when they are sent', () => {
  const remove = jest.fn()
  const track = createUnsentFilesTracker(eventId, { add: jest.fn(), remove })
  const withStatus = (status: SelectedFile['status']): SelectedFile[] => [
    { id: 1, file: createFile('a.jpg'), status: 'ready', sentBytes: 0 },
    { id: 2, file: createFile('b.jpg'), status, sentBytes: 0 },
  ]
  const rest = { pauseReason: undefined, isConsentMissing: false, credit: 'Table 4' }
  const closedError = new ApiError(410, { code: 'gone', message: 'Closed.' })
  track({ files: withStatus('sending'), closedError: undefined, ...rest })
  track({ files: withStatus('sending'), closedError, ...rest })
  expect(remove.mock.calls).toEqual([[[getFileKey(eventId, createFile('a.jpg'))]]])
  track({ files: withStatus('sent'), closedError, ...rest })
  expect(remove).toHaveBeenLastCalledWith([getFileKey(eventId, createFile('b.jpg'))])
})

test('When the browser has no storage for the bytes, then only the metadata and the ticket are stored', async () => {
  quota = 1_000
  const unsentFiles = getUnsentFiles(eventId)
  const [big, last] = [createFile('a.jpg'), createFile('b.jpg')]
  unsentFiles.add(getFileKey(eventId, big), big, 'Table 4')
  unsentFiles.saveTicket(big, ticket)
  await eventually(async () => (await listAll()).records[0]?.ticket !== undefined)
  quota = Infinity
  // Bytes are stored in order, so the first file has been decided on when the second is stored.
  unsentFiles.add(getFileKey(eventId, last), last, 'Table 4')
  await eventually(async () => (await listAll()).keysWithBytes.has(getFileKey(eventId, last)))
  expect((await listAll()).keysWithBytes.has(getFileKey(eventId, big))).toBe(false)
})

test('When the database is slow, then what this tab has claimed is in its list', async () => {
  await storeEarlier(withBytes('a.jpg'))
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] })
  try {
    let isClaimed = false as boolean
    const claiming = getUnsentFiles(eventId).claim()
    void claiming.finally(() => (isClaimed = true))
    while (!isClaimed) {
      // The database responds by `setImmediate`.
      jest.advanceTimersByTime(10_000)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect((await claiming).restored.map(({ file }) => file.name)).toEqual(['a.jpg'])
  } finally {
    jest.useRealTimers()
  }
})

test('When the database could not be opened once, then later files are stored', async () => {
  const { indexedDB } = globalThis
  jest.resetModules()
  const { getUnsentFiles: getFiles } = await import('./unsent-files.ts')
  Object.assign(globalThis, { indexedDB: undefined })
  const [first, second] = [createFile('a.jpg'), createFile('b.jpg')]
  const unsentFiles = getFiles(eventId)
  unsentFiles.add(getFileKey(eventId, first), first, undefined)
  await new Promise((resolve) => setTimeout(resolve))
  Object.assign(globalThis, { indexedDB })
  unsentFiles.add(getFileKey(eventId, second), second, undefined)
  await eventually(async () => (await listAll()).keysWithBytes.has(getFileKey(eventId, second)))
})
