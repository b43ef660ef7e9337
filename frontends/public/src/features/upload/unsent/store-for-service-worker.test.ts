import 'fake-indexeddb/auto'
import { beforeEach, expect, test } from '@jest/globals'
import { getSetting, NO_EVENT } from '@confetti/guest-storage'
import { initSession } from '@confetti/session'
import { storeForServiceWorker } from './unsent-files.ts'

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory()
  // A page for the session, which jsdom would give without what the database needs.
  Object.assign(globalThis, { window: new EventTarget() })
  initSession({ brand: 'Confetti', apiUrl: 'https://api.example.test' })
})

test('When the page of an event is opened, then shared files are for it, until it accepts no more uploads', async () => {
  await storeForServiceWorker('event-1', true)
  expect(await getSetting('lastEventId')).toBe('event-1')
  await storeForServiceWorker('event-1', false)
  expect(await getSetting('lastEventId')).toBe(NO_EVENT)
})

test('When the guest has passes, then the service worker gets them', async () => {
  const passes = JSON.stringify([{ eventId: 'event-1', pass: 'pass-1' }])
  Object.assign(globalThis, {
    localStorage: { getItem: (key: string) => (key === 'eventPasses' ? passes : null) },
  })
  await storeForServiceWorker('event-1', true)
  expect(await getSetting('eventPasses')).toBe(passes)
})

test('When the page of a closed event is opened, then shared files stay for the event before', async () => {
  await storeForServiceWorker('event-1', true)
  await storeForServiceWorker('closed', false)
  expect(await getSetting('lastEventId')).toBe('event-1')
  expect(await getSetting('apiUrl')).toBe('https://api.example.test')
})
