import { expect, test } from '@jest/globals'
import { storeEvent } from './plugins.ts'

const store = (response: Response) =>
  storeEvent.cacheWillUpdate?.({
    request: new Request('https://api.example.org/api/events/6650f3a1c2b4d5e6f7a8b9c0'),
    response,
    event: undefined as never,
  })

test('When an event is stored, then without the guest token, and without what it still accepts', async () => {
  const event = { name: 'Party', limits: { maxFileBytes: 500, remainingBytes: 3, types: ['image/jpeg'] } }
  const stored = await store(Response.json({ ...event, event }, { headers: { 'X-Guest-Token': 'guest-1' } }))
  expect(stored?.headers.get('X-Guest-Token')).toBeNull()
  const kept = { name: 'Party', limits: { maxFileBytes: 500, types: ['image/jpeg'] } }
  expect(await stored?.json()).toEqual({ ...kept, event: kept })
})

test('When an event could not be read, then nothing is stored', async () => {
  expect(await store(new Response('', { status: 503 }))).toBeNull()
})
