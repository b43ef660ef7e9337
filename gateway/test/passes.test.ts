import type { ServiceProcess } from '@confetti/launcher'
import { readCounter } from '@confetti/test-kit'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { send, SHELL, startGateway, startUpstream, type TestResponse, type Upstream } from './harness.ts'

const eventId = '6b03b0c58bddcb2b37aa5f39'
const linkKey = 'AAECAwQFBgcICQoL'
const limits = { WRONG_PINS_PER_GUEST: '3', WRONG_PINS_PER_ADDRESS: '6', WRONG_PINS_PER_EVENT: '12' }
let upstream: Upstream
let gateway: ServiceProcess
/** What the events service knows: undefined where the event has no PIN. */
let event: { pin: string; linkKey?: string; pinHash: string } | undefined

beforeAll(async () => {
  upstream = await startUpstream(({ url = '' }, response) => {
    response.setHeader('Content-Type', 'application/json')
    const copy = {
      _id: eventId,
      eventFor: 'a'.repeat(24),
      organisers: [],
      uploadsCloseAt: '2030-01-01T00:00:00Z',
    }
    const answer = url.endsWith('/pin') ? event : url.includes(eventId) ? copy : undefined
    if (!answer) response.statusCode = 404
    response.end(
      JSON.stringify(answer ?? { message: 'Event not found.', code: 'event_not_found', requestId: 'r' }),
    )
  })
})
// Each test counts from zero.
beforeEach(async () => {
  event = { pin: 'Tulip42', linkKey, pinHash: 'b'.repeat(64) }
  // Undefined before the first test.
  await (gateway as ServiceProcess | undefined)?.stop()
  gateway = await startGateway(upstream.url, { ...limits, TRUSTED_PROXY_HOPS: '1' })
})
afterAll(async () => {
  await gateway.stop()
  await upstream.close()
})

const prove = (
  body: object,
  {
    address = '203.0.113.1',
    guestToken,
    of = eventId,
  }: { address?: string; guestToken?: string; of?: string } = {},
): Promise<TestResponse> =>
  send(gateway.url, `POST /api/events/${of}/passes`, {
    headers: {
      'X-Forwarded-For': address,
      'Content-Type': 'application/json',
      Origin: SHELL,
      ...(guestToken && { 'X-Guest-Token': guestToken }),
    },
    body: JSON.stringify(body),
  })
const statusOf = async (...call: Parameters<typeof prove>): Promise<number> => (await prove(...call)).status
const countEach = (statuses: readonly number[]) =>
  Object.fromEntries(
    [...new Set(statuses)].map((status) => [status, statuses.filter((each) => each === status).length]),
  )
const newGuestToken = async (): Promise<string> => {
  const { headers } = await send(gateway.url, `GET /api/events/${eventId}`)
  return String(headers['x-guest-token'])
}
const guess = { pin: '0000' }
const right = { pin: 'Tulip42' }

test.each(['Tulip42', 'tulip42', ' TULIP 42 ', '\uff34ulip42'])(
  'When a guest types the PIN as %j, then they get a pass for 30 days, and pages may read it',
  async (pin) => {
    const { status, json, headers } = await prove({ pin })
    expect([status, headers['access-control-allow-origin']]).toEqual([201, SHELL])
    expect(json.pass).toMatch(/^\d{13}\.[\w-]{43}$/)
    expect((Date.parse(json.expiresAt as string) - Date.now()) / 86_400_000).toBeCloseTo(30, 1)
  },
)

test('When a guest has the key of a link, then it is as good as the PIN, unless links do not open the event', async () => {
  expect(await statusOf({ key: linkKey })).toBe(201)
  for (const key of ['', linkKey.slice(1), linkKey.toLowerCase(), 'Tulip42', `${linkKey}A`])
    expect((await prove({ key })).json.code).toBe('pin_wrong')
  event = { pin: 'Tulip42', pinHash: 'b'.repeat(64) }
  for (const key of [linkKey, ''])
    expect((await prove({ key })).json).toMatchObject({ code: 'pin_wrong', message: 'This PIN is wrong.' })
})

test('When an event has no PIN or does not exist, or nothing is proved, then there is no pass', async () => {
  expect(await statusOf({})).toBe(400)
  expect((await prove({ pin: '' })).json.code).toBe('pin_wrong')
  expect((await prove({ word: 'Tulip42' })).json.code).toBe('unknown_field')
  expect((await prove({ word: 'Tulip42' }, { of: 'f'.repeat(24) })).json.code).toBe('event_not_found')
  event = undefined
  for (const proof of [right, { key: linkKey }])
    expect((await prove(proof)).json.code).toBe('event_not_found')
})

test('When all of a hall type the right PIN at the same moment, then none is refused, and none counts', async () => {
  const statuses = await Promise.all(Array.from({ length: 100 }, () => statusOf(right)))
  expect(countEach(statuses)).toEqual({ 201: 100 })
  expect(countEach(await Promise.all(Array.from({ length: 6 }, () => statusOf(guess))))).toEqual({ 400: 6 })
})

test('When a guest guesses, then only this guest is refused, also with the right PIN, and others at the address are not', async () => {
  const [guestToken, other] = [await newGuestToken(), await newGuestToken()]
  const guesses = await Promise.all(Array.from({ length: 20 }, () => statusOf(guess, { guestToken })))
  expect(countEach(guesses)).toEqual({ 400: 3, 429: 17 })
  const refused = await prove(right, { guestToken })
  expect([refused.status, refused.json.code]).toEqual([429, 'too_many_requests'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(500)
  expect(await statusOf(right, { guestToken, address: '203.0.113.2' })).toBe(429)
  expect(await statusOf({ key: linkKey }, { guestToken })).toBe(201)
  for (const call of [{ guestToken: other }, {}]) expect(await statusOf(right, call)).toBe(201)
  // Three are left, as what the guest was refused does not count.
  expect(countEach(await Promise.all(Array.from({ length: 5 }, () => statusOf(guess))))).toEqual({
    400: 3,
    429: 2,
  })
})

test('When an address guesses, then typed PINs from there are refused, keys are not, and neither is another address', async () => {
  const guessAsNewGuest = async () => statusOf(guess, { guestToken: await newGuestToken() })
  expect(countEach(await Promise.all(Array.from({ length: 9 }, guessAsNewGuest)))).toEqual({ 400: 6, 429: 3 })
  expect(await statusOf(right)).toBe(429)
  expect(await statusOf(right, { guestToken: await newGuestToken() })).toBe(429)
  expect(await statusOf({ key: linkKey })).toBe(201)
  expect(await statusOf({ key: 'wrong' })).toBe(400)
  expect(await statusOf(right, { address: '203.0.113.2' })).toBe(201)
})

test('When many addresses guess the PIN of an event, then typed PINs of this event are refused, keys are not', async () => {
  const guesses: number[] = []
  for (let host = 10; host < 30; host += 1)
    guesses.push(await statusOf(guess, { address: `203.0.113.${host}` }))
  expect(countEach(guesses)).toEqual({ 400: 12, 429: 8 })
  expect(await statusOf(right, { address: '203.0.113.99' })).toBe(429)
  expect(await statusOf({ key: linkKey }, { address: '203.0.113.99' })).toBe(201)
})

test('When guesses come at the same moment, then the right one among them is accepted only before the limit is reached', async () => {
  const statuses = await Promise.all(
    [...Array.from({ length: 60 }, () => guess), right].map((proof) => statusOf(proof)),
  )
  const { 400: wrong = 0, 201: accepted = 0, 429: refused = 0 } = countEach(statuses)
  expect(wrong).toBe(6)
  expect(accepted + refused).toBe(55)
  // Whatever became of it, no further one is.
  expect(await statusOf(right)).toBe(429)
})

test('When PINs are typed, then they are counted by result', async () => {
  const count = (result: string) =>
    readCounter({ replicas: () => [gateway] }, 'gateway', 'event_pins_total', { result })
  const counts = () => Promise.all(['right', 'wrong', 'limited'].map(count))
  expect(await counts()).toEqual([0, 0, 0])
  for (const proof of [right, ...Array.from({ length: 8 }, () => guess), right, { key: linkKey }])
    await prove(proof)
  expect(await counts()).toEqual([1, 6, 3])
})
