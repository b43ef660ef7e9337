import type { ServiceProcess } from '@confetti/launcher'
import { linkKeyOf } from '@confetti/service-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { send, startGateway, startUpstream, type Upstream } from './harness.ts'

const eventId = '6b03b0c58bddcb2b37aa5f39'
const pinKey = 'k'.repeat(43)
let upstream: Upstream
let gateway: ServiceProcess

beforeAll(async () => {
  upstream = await startUpstream((_, response) => {
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ pin: 'Tulip42', pinKey, pinInLinks: 'on' }))
  })
  gateway = await startGateway(upstream.url, { WRONG_PINS_PER_ADDRESS: '5', TRUSTED_PROXY_HOPS: '1' })
})
afterAll(async () => {
  await gateway.stop()
  await upstream.close()
})

const prove = async (proof: object): Promise<number> => {
  const { status } = await send(gateway.url, `POST /api/events/${eventId}/passes`, {
    headers: { 'X-Forwarded-For': '203.0.113.1', 'Content-Type': 'application/json' },
    body: JSON.stringify(proof),
  })
  return status
}

test('When an address guesses, then typed PINs are refused, right ones before do not count, and keys never are', async () => {
  for (let round = 0; round < 8; round++) expect(await prove({ pin: 'tulip42' })).toBe(201)
  const guesses = await Promise.all(Array.from({ length: 8 }, () => prove({ pin: '0000' })))
  expect(guesses.filter((status) => status === 400)).toHaveLength(5)
  expect(guesses.filter((status) => status === 429)).toHaveLength(3)
  expect(await prove({ pin: 'Tulip42' })).toBe(429)
  expect(await prove({ key: linkKeyOf(eventId, pinKey) })).toBe(201)
  expect(await prove({ key: 'wrong' })).toBe(400)
})
