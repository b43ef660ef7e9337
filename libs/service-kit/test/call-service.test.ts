import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { getEventCopy } from '@confetti/contracts'
import { callService } from '@confetti/service-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

const eventId = '0123456789abcdef01234567'

let respond: (response: ServerResponse) => void
let server: Server
let url: string

beforeAll(async () => {
  server = createServer((_, response) => respond(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await promisify(server.close.bind(server))()
})

const get = () => callService(url, getEventCopy, { eventId })
const answerNotFound = (body: string) => (response: ServerResponse) => response.writeHead(404).end(body)

test('When the service answers 404 with the code of the contract, then there is no such record', async () => {
  respond = answerNotFound(
    JSON.stringify({ message: 'Event not found.', code: 'event_not_found', requestId: '-' }),
  )
  expect(await get()).toBeUndefined()
})

test.each([
  ['an ingress without a backend', 'default backend - 404'],
  ['a page', '<html><body>404 Not Found</body></html>'],
  [
    'a service without this route',
    JSON.stringify({ message: 'There is nothing at this address.', code: 'not_found', requestId: '-' }),
  ],
  ['nothing', ''],
])('When the 404 comes from %s, then the call fails as unavailable', async (_, body) => {
  respond = answerNotFound(body)
  await expect(get()).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 2 })
})
