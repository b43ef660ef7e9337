import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { MB } from '@confetti/contracts'
import type { ServiceProcess } from '@confetti/launcher'
import { eventually } from '@confetti/test-kit'
import { send, startGateway, startPeer, type Peer } from './stand.ts'

let peer: Peer
let gateway: ServiceProcess

beforeAll(async () => {
  peer = await startPeer()
  gateway = await startGateway(peer.url)
})
afterAll(async () => {
  await gateway.stop()
  await peer.close()
})
afterEach(() => {
  peer.beforeBody = undefined
})

const upload = (bytes: number) => send(gateway.url, 'POST /api/uploads', { body: 'x'.repeat(bytes) })

/** Counts all that comes on the peer's connections but the first lines of calls. */
const bodyBytesOf = (socket: Socket, headBytes: number): number => socket.bytesRead - headBytes

test('When a service does not ask for an upload, then none of its body leaves the gateway', async () => {
  let waiting: ServerResponse | undefined
  let headBytes = 0
  peer.beforeBody = (incoming, response) => {
    headBytes = incoming.socket.bytesRead
    waiting = response
  }
  const answer = upload(MB)
  await eventually(() => waiting, 'the first lines')
  const socket = waiting?.socket
  // A whole answer to another call: what was going to be sent would have been sent by then.
  peer.beforeBody = undefined
  await upload(10)
  waiting
    ?.writeHead(503, { 'Content-Type': 'application/json', 'Retry-After': '2' })
    .end('{"code":"unavailable"}')
  expect(await answer).toMatchObject({
    status: 503,
    headers: { 'retry-after': '2' },
    json: { code: 'unavailable' },
  })
  expect(socket && bodyBytesOf(socket, headBytes)).toBe(0)
})

test('When a service refuses a small upload without asking for it, then its connection ends and the next one works', async () => {
  peer.beforeBody = (_, response) => void response.writeHead(413).end('{}')
  expect((await upload(10)).status).toBe(413)
  peer.beforeBody = undefined
  expect(await upload(10)).toMatchObject({ status: 200, json: { bytes: 10 } })
  await eventually(() => peer.sockets.size <= 1, 'the refused call being let go')
})

test('When a service dies before it asks for an upload, then the gateway sends it once more and nobody notices', async () => {
  let deaths = 0
  peer.beforeBody = (incoming) => {
    deaths += 1
    incoming.socket.resetAndDestroy()
    peer.beforeBody = undefined
  }
  expect(await upload(MB)).toMatchObject({ status: 200, json: { bytes: MB } })
  expect(deaths).toBe(1)
})

test('When it dies each time, then the answer is 502 after the second', async () => {
  let deaths = 0
  peer.beforeBody = (incoming) => {
    deaths += 1
    incoming.socket.resetAndDestroy()
  }
  expect(await upload(MB)).toMatchObject({ status: 502, json: { code: 'bad_gateway' } })
  expect(deaths).toBe(2)
})

test('When it dies after it asked, then the answer is 502 at once: what it has read is not known', async () => {
  peer.calls.length = 0
  const echo = peer.answer
  peer.answer = (incoming) => void incoming.once('data', () => incoming.socket.resetAndDestroy())
  expect(await upload(MB)).toMatchObject({ status: 502, json: { code: 'bad_gateway' } })
  expect(peer.calls).toHaveLength(1)
  peer.answer = echo
})
