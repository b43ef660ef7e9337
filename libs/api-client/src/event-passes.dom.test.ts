import { beforeEach, expect, jest, test } from '@jest/globals'
import { createApiClient } from './client.ts'
import { eventPasses } from './event-passes.ts'
import { isNotFound, type ApiError } from './errors.ts'

const client = createApiClient({ baseUrl: 'https://api.example.test', onSessionEnded: () => undefined })
/** The passes of the calls, in order. */
let sent: (string | undefined)[]
let answer: () => { status: number; body: object }

let eventNumber = 0
let eventId: string

const refusal = {
  code: 'pin_required',
  message: 'Please enter the PIN of the event.',
  details: { name: 'Party', language: 'de' },
}
const store = (pass: string): void =>
  eventPasses.store([{ eventId, pass, expiresAt: '2099-01-01T00:00:00.000Z' }])

beforeEach(() => {
  localStorage.clear()
  eventNumber += 1
  eventId = eventNumber.toString(16).padStart(24, '0')
  sent = []
  answer = () => ({ status: 200, body: {} })
  globalThis.fetch = ((_url: string, { headers }: { headers: Record<string, string> }) => {
    sent.push(headers['X-Event-Pass'])
    const { status, body } = answer()
    return Promise.resolve({
      ok: status < 400,
      status,
      headers: { get: () => null },
      text: () => Promise.resolve(JSON.stringify(body)),
    })
  }) as unknown as typeof fetch
})

const getEvent = () => client.get('/api/events/{eventId}', { params: { eventId }, asGuest: true })

test('When a guest has a pass, then all calls about its event have it, and no others', async () => {
  store('pass-1')
  await getEvent()
  await client.get('/api/guest/uploads', { query: { eventId }, asGuest: true })
  await client.patch('/api/guest/uploads', { body: { eventId, photoCredit: 'Ann' }, asGuest: true })
  const params = { uploadId: 'upload-1' }
  await client.delete('/api/guest/uploads/{uploadId}', { params, eventId, asGuest: true })
  expect(sent).toEqual(['pass-1', 'pass-1', 'pass-1', 'pass-1'])

  sent = []
  await client.get('/api/events/{eventId}', { params: { eventId: 'another' }, asGuest: true })
  await client.get('/api/events/{eventId}', { params: { eventId } })
  expect(sent).toEqual([undefined, undefined])
})

test('When a call is refused for lack of a pass, then its event asks for one, until there is a pass', async () => {
  answer = () => ({ status: 404, body: refusal })
  const listener = jest.fn()
  const stop = eventPasses.subscribe(listener)
  const error = (await getEvent().catch((thrown: unknown) => thrown)) as ApiError
  expect(error.event).toEqual(refusal.details)
  expect(error.fieldErrors).toEqual({})
  // The event is there.
  expect(isNotFound(error)).toBe(false)
  expect(eventPasses.getRefusal(eventId)).toBe(error)
  expect(eventPasses.getRefusal('another')).toBeUndefined()
  await expect(getEvent()).rejects.toThrow('Please enter the PIN')
  expect(listener).toHaveBeenCalledTimes(1)

  window.prefetched = {}
  store('pass-1')
  eventPasses.clearRefusal(eventId)
  expect(eventPasses.getRefusal(eventId)).toBeUndefined()
  expect(listener).toHaveBeenCalledTimes(2)
  expect(window.prefetched).toBeUndefined()

  stop()
  await expect(getEvent()).rejects.toThrow('Please enter the PIN')
  expect(eventPasses.getRefusal(eventId)).toBeDefined()
  expect(listener).toHaveBeenCalledTimes(2)
})

test('When a pass arrives while a call without it is under way, then its refusal is not asked about', async () => {
  answer = () => {
    store('pass-1')
    return { status: 404, body: refusal }
  }
  await expect(getEvent()).rejects.toThrow('Please enter the PIN')
  expect(eventPasses.getRefusal(eventId)).toBeUndefined()
})

test('When the browser has something else under the name of the passes, then the guest has none', async () => {
  localStorage.setItem('eventPasses', 'nonsense')
  await getEvent()
  expect(sent).toEqual([undefined])
})
