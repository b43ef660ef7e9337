import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { getFileKey } from './file-key.ts'
import { NO_EVENT, openUnsentStore, type UnsentRecord } from './unsent-store.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let eventNumber = 0
let eventId = ''
let quota: number
beforeEach(() => {
  eventNumber += 1
  eventId = `event-${eventNumber}`
  quota = Infinity
  Object.defineProperty(globalThis, 'navigator', {
    configurable: true,
    value: { storage: { estimate: () => Promise.resolve({ quota, usage: 0 }) } },
  })
  // An empty browser, because some functions return files of all events.
  globalThis.indexedDB = new IDBFactory()
})

/** Finds these tabs open. */
const finding =
  (...tabIds: string[]) =>
  () =>
    Promise.resolve((tabId: string): boolean => tabIds.includes(tabId))
const findOpenTabs = finding('open tab')
const createRecord = (name: string, changes: Partial<UnsentRecord> = {}): UnsentRecord => {
  const file = { name, type: 'image/jpeg', size: 10, lastModified: 1 }
  const owner = { eventId, storedAt: Date.now(), tabId: 'closed tab', ...changes }
  return { ...file, ...owner, key: getFileKey(owner.eventId, file) }
}
const openStore = () => openUnsentStore(Date.now)
const store = async (...records: UnsentRecord[]): Promise<void> => {
  const { add, addBytes } = await openStore()
  for (const record of records) {
    await add(record)
    await addBytes(record.key, new Blob([`bytes of ${record.name}`]))
  }
}
const listNames = async (of = eventId): Promise<string> => {
  const { records } = await (await openStore()).list(of)
  return records.map(({ name }) => name).join(' ')
}

test('When files were claimed, then another tab cannot claim them', async () => {
  await store(createRecord('a.jpg'))
  const { claim } = await openStore()
  const [claimed] = await claim(eventId, 'open tab', findOpenTabs)
  expect(await claimed?.bytes.text()).toBe('bytes of a.jpg')
  expect(await claim(eventId, 'second tab', findOpenTabs)).toEqual([])
})

test('When files were chosen more than seven days ago, then they are removed with their bytes', async () => {
  const old = createRecord('old.jpg', { storedAt: Date.now() - 8 * DAY_MS })
  await store(old, createRecord('new.jpg', { storedAt: Date.now() - 6 * DAY_MS }))
  const { records, keysWithBytes } = await (await openStore()).list(eventId)
  expect(records.map(({ name }) => name)).toEqual(['new.jpg'])
  expect(keysWithBytes.has(old.key)).toBe(false)
})

test('When files were shared without an event, then they are kept for a day, and move to the next event', async () => {
  await store(
    createRecord('old.jpg', { eventId: NO_EVENT, storedAt: Date.now() - 25 * HOUR_MS }),
    createRecord('new.jpg', { eventId: NO_EVENT, storedAt: Date.now() - 23 * HOUR_MS }),
  )
  const { assignToEvent, claim } = await openStore()
  await assignToEvent(eventId)
  const claimed = await claim(eventId, 'open tab', findOpenTabs)
  expect(claimed.map(({ record }) => record.key)).toEqual([createRecord('new.jpg').key])
  expect(await claimed[0]?.bytes.text()).toBe('bytes of new.jpg')
  expect(await listNames(NO_EVENT)).toBe('')
})

test('When a file is added again, then its ticket, its age and its bytes are kept', async () => {
  const ticket = { ticket: 'ticket-1', credit: 'Table 4', uploadId: 'upload-1', isSent: false }
  const storedAt = Date.now() - HOUR_MS
  await store(createRecord('a.jpg', { storedAt }))
  const { add, addBytes, list, saveTicket } = await openStore()
  const { key } = createRecord('a.jpg')
  await saveTicket(key, ticket)
  await add(createRecord('a.jpg', { credit: 'Table 4' }))
  await addBytes(key, new Blob(['other bytes']))
  expect((await list(eventId)).records).toMatchObject([{ ticket, storedAt, credit: 'Table 4' }])
  const [claimed] = await (await openStore()).claim(eventId, 'open tab', findOpenTabs)
  expect(await claimed?.bytes.text()).toBe('bytes of a.jpg')
})

test('When another tab has a file, then it is neither changed nor removed', async () => {
  const ticket = { ticket: 'ticket-1', credit: 'Table 4', uploadId: 'upload-1', isSent: false }
  const { key } = createRecord('a.jpg')
  await store(createRecord('a.jpg', { tabId: 'open tab', credit: 'Table 4' }))
  const { add, saveTicket, remove, list } = await openStore()
  await saveTicket(key, ticket)
  await add(createRecord('a.jpg', { tabId: 'second tab' }), findOpenTabs)
  await saveTicket(key, undefined, findOpenTabs)
  expect(await remove([key], findOpenTabs)).toBe(1)
  const { records, keysWithBytes } = await list(eventId)
  expect(records).toMatchObject([{ tabId: 'open tab', credit: 'Table 4', ticket }])
  expect(keysWithBytes.has(key)).toBe(true)
})

test('When the browser has no storage for the bytes, then only the metadata is stored', async () => {
  quota = 1_000
  await store(createRecord('a.jpg'))
  const { records, keysWithBytes } = await (await openStore()).list(eventId)
  expect(records).toHaveLength(1)
  expect(keysWithBytes.size).toBe(0)
})

test('When there are 1,000 files, then no more are stored, and those can be changed', async () => {
  const { add, list } = await openStore()
  for (let number = 0; number < 1_001; number += 1) await add(createRecord(`${number}.jpg`))
  await add(createRecord('0.jpg', { credit: 'Table 4' }))
  const { records } = await list(eventId)
  expect(records).toHaveLength(1_000)
  expect(records.find(({ name }) => name === '0.jpg')?.credit).toBe('Table 4')
})

test('When the service worker sends, then it gets one started file at a time that no open tab has', async () => {
  const credit = 'Table 4'
  const rejection = { status: 415, code: 'unsupported', message: 'No.' }
  await store(
    createRecord('chosen.jpg'),
    createRecord('open.jpg', { credit, tabId: 'open tab' }),
    createRecord('refused.jpg', { credit, rejection }),
    createRecord('started.jpg', { credit }),
  )
  const { claimStarted, hasStarted, remove } = await openStore()
  expect((await claimStarted('worker', findOpenTabs))?.record.name).toBe('started.jpg')
  expect(await claimStarted('second worker', finding('worker', 'open tab'))).toBeUndefined()
  expect(await hasStarted()).toBe(true)
  await remove([createRecord('started.jpg').key, createRecord('open.jpg').key])
  expect(await hasStarted()).toBe(false)
})

test('When the service worker sends, then it gets the smallest file first', async () => {
  const credit = 'Table 4'
  await store(
    createRecord('a.mp4', { credit, size: 900 }),
    createRecord('b.jpg', { credit, size: 1_000 }),
    createRecord('c.jpg', { credit, size: 30 }),
  )
  const { claimStarted } = await openStore()
  const claimNext = async () => (await claimStarted('worker', finding('worker')))?.record.name
  expect([await claimNext(), await claimNext(), await claimNext()]).toEqual(['c.jpg', 'a.mp4', 'b.jpg'])
})

test.each([
  ['InvalidStateError', 'The database connection is closing.'],
  ['AbortError', 'The transaction was aborted.'],
  ['UnknownError', 'Connection to Indexed Database server lost. Refresh the page to try again'],
])('When the browser has ended the connection with %s, then it is opened again', async (name, message) => {
  const { add } = await openStore()
  const transaction = jest.spyOn(IDBDatabase.prototype, 'transaction').mockImplementationOnce(() => {
    throw new DOMException(message, name)
  })
  await add(createRecord('a.jpg'))
  expect(new Set(transaction.mock.contexts).size).toBe(2)
  transaction.mockRestore()
  expect(await listNames()).toBe('a.jpg')
})

test('When the connection is closed underneath, then what is stored afterwards is stored by another one', async () => {
  const { add, addBytes, list } = await openStore()
  const transaction = jest.spyOn(IDBDatabase.prototype, 'transaction')
  await add(createRecord('a.jpg'))
  for (const connection of transaction.mock.contexts) (connection as IDBDatabase).close()
  transaction.mockRestore()
  await add(createRecord('b.jpg'))
  await addBytes(createRecord('b.jpg').key, new Blob(['bytes of b.jpg']))
  const { records, keysWithBytes } = await list(eventId)
  expect(records.map(({ name }) => name)).toEqual(['a.jpg', 'b.jpg'])
  expect([...keysWithBytes]).toEqual([createRecord('b.jpg').key])
})

describe('When a page is left while it stores a file', () => {
  const page = new EventTarget()
  const addEventListener = page.addEventListener.bind(page)
  const leave = (persisted: boolean): Event => Object.assign(new Event('pagehide'), { persisted })
  beforeEach(() => void Object.assign(globalThis, { onpagehide: null, addEventListener }))
  afterEach(() => {
    jest.restoreAllMocks()
    for (const name of ['onpagehide', 'addEventListener']) Reflect.deleteProperty(globalThis, name)
  })

  /** Stores a file, and leaves the page `times` times meanwhile. Returns how many transactions were aborted. */
  const addAndLeave = async (times: number, persisted: boolean): Promise<number> => {
    const { add } = await openStore()
    const aborted = jest.fn()
    const get = Reflect.get<IDBObjectStore, 'get'>(IDBObjectStore.prototype, 'get')
    let timesLeft = 0
    jest.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(function (this: IDBObjectStore, key) {
      const request = get.call(this, key)
      this.transaction.addEventListener('abort', aborted)
      if (timesLeft < times) page.dispatchEvent(leave(persisted))
      timesLeft += 1
      return request
    })
    await add(createRecord('a.jpg'))
    return aborted.mock.calls.length
  }

  test('and the browser may show it again, then it holds up no other page meanwhile, and stores the file in the end', async () => {
    expect(await addAndLeave(3, true)).toBe(3)
    expect(await listNames()).toBe('a.jpg')
  })

  test('and the browser drops it, then nothing is aborted that may be completed', async () => {
    expect(await addAndLeave(1, false)).toBe(0)
  })

  test('and creates the database, then it creates it again', async () => {
    const create = jest.spyOn(IDBDatabase.prototype, 'createObjectStore').mockImplementationOnce(function (
      this: IDBDatabase,
      ...parameters
    ) {
      queueMicrotask(() => page.dispatchEvent(leave(true)))
      return this.createObjectStore(...parameters)
    })
    await store(createRecord('a.jpg'))
    // Two stores, twice, and the call that is passed on.
    expect(create).toHaveBeenCalledTimes(5)
    expect(await listNames()).toBe('a.jpg')
  })
})

test('When the browser fails to store a file for another reason, then it is not tried again', async () => {
  const { add } = await openStore()
  const transaction = jest.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(() => {
    throw new DOMException('The disk is full.', 'QuotaExceededError')
  })
  await expect(add(createRecord('a.jpg'))).rejects.toThrow('The disk is full.')
  expect(transaction).toHaveBeenCalledTimes(1)
  transaction.mockRestore()
})

test('When the browser cannot store bytes, then only the call rejects', async () => {
  const unhandled = jest.fn()
  process.on('unhandledRejection', unhandled)
  const record = createRecord('a.jpg')
  const { add, addBytes } = await openStore()
  await add(record)
  const put = jest.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
    this: IDBObjectStore,
    ...values
  ) {
    const request = this.add(...values)
    this.transaction.abort()
    return request
  })
  await expect(addBytes(record.key, new Blob(['bytes']))).rejects.toThrow()
  put.mockRestore()
  await new Promise(setImmediate)
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})
