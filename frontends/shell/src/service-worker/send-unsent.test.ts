import 'fake-indexeddb/auto'
import { beforeEach, expect, test } from '@jest/globals'
import { getFileKey, openUnsentStore, setSetting } from '@confetti/guest-storage'
import { sendUnsentFiles } from './send-unsent.ts'

const EVENT_ID = '6650f3a1c2b4d5e6f7a8b9c0'

/** The names of the files that were sent, in order. */
let sentNames: string[]
/** What the server responds to a file. Throws if it is not reached. */
let respondTo: (name: string) => Response

beforeEach(async () => {
  globalThis.indexedDB = new IDBFactory()
  Object.defineProperty(globalThis, 'navigator', { configurable: true, value: {} })
  sentNames = []
  respondTo = () => Response.json({ uploads: [{}], rejected: [] }, { status: 201 })
  globalThis.fetch = (_url, init) => {
    const { name } = (init?.body as FormData).get('media') as File
    sentNames.push(name)
    return Promise.resolve().then(() => respondTo(name))
  }
  await setSetting('apiUrl', 'https://api.example.org')
})

test('When the guest has agreed to something, then its version is sent with the file', async () => {
  await leaveFiles('a.jpg')
  let sent: unknown
  const send = globalThis.fetch
  globalThis.fetch = (url, init) => {
    sent = (init?.body as FormData).get('consentVersion')
    return send(url, init)
  }
  await sendUnsentFiles()
  expect(sent).toBe('version 1')
})

test('When a file is sent, then its time of change is sent before it', async () => {
  await leaveFiles('a.jpg')
  let sent: [string, unknown][] = []
  const send = globalThis.fetch
  globalThis.fetch = (url, init) => {
    sent = [...(init?.body as FormData).entries()]
    return send(url, init)
  }
  await sendUnsentFiles()
  expect(sent.at(-2)).toEqual(['lastModified', '1'])
  expect(sent.at(-1)?.[0]).toBe('media')
})

test('When the guest has a pass for the event, then it is sent with the file', async () => {
  await leaveFiles('a.jpg')
  await setSetting('guestToken', 'guest-1')
  const passes = [EVENT_ID, 'other'].map((eventId) => ({ eventId, pass: `pass of ${eventId}` }))
  await setSetting('eventPasses', JSON.stringify(passes))
  let sent: unknown
  const send = globalThis.fetch
  globalThis.fetch = (url, init) => {
    sent = init?.headers
    return send(url, init)
  }
  await sendUnsentFiles()
  expect(sent).toEqual({ 'X-Guest-Token': 'guest-1', 'X-Event-Pass': `pass of ${EVENT_ID}` })
})

/** Stores files that the guest has started to send, with a byte, two, three ... */
const leaveFiles = async (...names: string[]): Promise<void> => {
  const store = await openUnsentStore(Date.now)
  for (const [index, name] of names.entries()) {
    const file = { name, type: 'image/jpeg', size: index + 1, lastModified: 1 }
    const key = getFileKey(EVENT_ID, file)
    const owner = {
      eventId: EVENT_ID,
      credit: 'Table 4',
      consentVersion: 'version 1',
      storedAt: Date.now(),
      tabId: 'closed tab',
    }
    await store.add({ key, ...file, ...owner })
    await store.addBytes(key, new Blob(['x'.repeat(file.size)]))
  }
}
const listLeft = async () => {
  const { records } = await (await openUnsentStore(Date.now)).list(EVENT_ID)
  return records.map(({ name, rejection }) => [name, rejection])
}

test.each([
  ['is not answered', () => Promise.reject(new TypeError('Failed to fetch')) as never],
  ['makes the server fail', () => new Response('Error', { status: 500 })],
  ['gets the sign-in page of a Wi-Fi network', () => new Response('<html>Welcome</html>')],
])('When a file %s, then the next ones are sent, and the sync fails', async (_reason, fail) => {
  await leaveFiles('a.jpg', 'always fails.jpg', 'c.jpg')
  const succeed = respondTo
  respondTo = (name) => (name === 'always fails.jpg' ? fail() : succeed(name))
  await expect(sendUnsentFiles()).rejects.toThrow('files left')
  expect(sentNames).toEqual(['a.jpg', 'always fails.jpg', 'c.jpg'])
  expect(await listLeft()).toEqual([['always fails.jpg', undefined]])
})

test('When a proxy refuses a file without the JSON of the API, then it is not sent again', async () => {
  await leaveFiles('a.jpg', 'b.jpg')
  const succeed = respondTo
  respondTo = (name) =>
    name === 'a.jpg' ? new Response('<html>Too large</html>', { status: 413 }) : succeed(name)
  await sendUnsentFiles()
  expect(await listLeft()).toEqual([
    ['a.jpg', { status: 413, code: 'unknown', message: 'Something went wrong.' }],
  ])
  sentNames = []
  await sendUnsentFiles()
  expect(sentNames).toEqual([])
})

test('When the API refuses a file, then its reason is stored for the next visit', async () => {
  await leaveFiles('a.jpg', 'b.jpg')
  const reason = { code: 'unsupported_type', message: 'This is no photo.' }
  respondTo = (name) =>
    name === 'a.jpg'
      ? Response.json({ uploads: [], rejected: [{ filename: name, ...reason }] })
      : Response.json({ ...reason, requestId: '1' }, { status: 410 })
  await sendUnsentFiles()
  expect(await listLeft()).toEqual([
    ['a.jpg', { status: 400, ...reason }],
    ['b.jpg', { status: 410, ...reason }],
  ])
})

test.each([429, 503])(
  'When the server asks to wait by status %i, then no more files are sent',
  async (status) => {
    await leaveFiles('a.jpg', 'b.jpg')
    respondTo = () => new Response('', { status })
    await expect(sendUnsentFiles()).rejects.toThrow(`status ${status}`)
    expect(sentNames).toEqual(['a.jpg'])
    expect(await listLeft()).toHaveLength(2)
  },
)
