import 'fake-indexeddb/auto'
import { beforeEach, expect, jest, test } from '@jest/globals'
import { NO_EVENT, openUnsentStore, setSetting } from '@confetti/guest-storage'
import { receiveShare } from './receive-share.ts'

const EVENT_ID = '6650f3a1c2b4d5e6f7a8b9c0'

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory()
})

const share = (...names: string[]): Promise<Response> => {
  const form = new FormData()
  for (const name of names) form.append('files', new File([`bytes of ${name}`], name, { type: 'image/jpeg' }))
  return receiveShare(new Request('https://confetti.example.org/share', { method: 'POST', body: form }))
}
const listFiles = async (eventId: string): Promise<string[]> => {
  const { records, keysWithBytes } = await (await openUnsentStore(Date.now)).list(eventId)
  return records.filter(({ key }) => keysWithBytes.has(key)).map(({ name }) => name)
}
const addressOf = ({ status, headers }: Response) => [status, headers.get('Location')]

test('When photos are shared, then they are stored for the event that was opened last', async () => {
  await setSetting('lastEventId', EVENT_ID)
  expect(addressOf(await share('a.jpg', 'b.jpg'))).toEqual([
    303,
    `https://confetti.example.org/upload?eventId=${EVENT_ID}&shared=1`,
  ])
  expect((await listFiles(EVENT_ID)).sort()).toEqual(['a.jpg', 'b.jpg'])
})

test('When no event was opened before, then the photos are stored for the next one', async () => {
  expect(addressOf(await share('a.jpg'))).toEqual([303, 'https://confetti.example.org/upload?shared=1'])
  expect(await listFiles(NO_EVENT)).toEqual(['a.jpg'])
})

test('When some photos cannot be stored, then the page has the others, and says how many are missing', async () => {
  const { structuredClone } = globalThis
  const failing = jest.spyOn(globalThis, 'structuredClone').mockImplementation((value: unknown) => {
    if (value instanceof File && value.name === 'b.jpg')
      throw new DOMException('The disk is full.', 'QuotaExceededError')
    return structuredClone(value)
  })
  const [, address] = addressOf(await share('a.jpg', 'b.jpg', 'c.jpg'))
  failing.mockRestore()
  expect(address).toBe('https://confetti.example.org/upload?shared=1&notShared=1')
  expect((await listFiles(NO_EVENT)).sort()).toEqual(['a.jpg', 'c.jpg'])
})

test('When the last event accepts no more uploads, then the photos are stored for the next one', async () => {
  await setSetting('lastEventId', NO_EVENT)
  expect(addressOf(await share('a.jpg'))).toEqual([303, 'https://confetti.example.org/upload?shared=1'])
})

test('When the browser refuses its storage, then the page opens without the photos, and says so', async () => {
  Object.assign(globalThis, { indexedDB: undefined })
  expect(addressOf(await share('a.jpg'))).toEqual([303, 'https://confetti.example.org/upload?notShared=1'])
})
