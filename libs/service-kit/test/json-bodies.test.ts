import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { login, MB } from '@confetti/contracts'
import { createHealth, createLogger, createServiceApp, type ServiceConfig } from '@confetti/service-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Registry } from 'prom-client'

let server: Server

beforeAll(async () => {
  const app = createServiceApp(
    {
      config: { REQUEST_TIMEOUT_MS: 60_000 } as ServiceConfig,
      logger: createLogger('test', 'fatal'),
      registry: new Registry(),
      health: createHealth(),
    },
    {
      routes: { login },
      handlers: { login: () => Promise.reject(new Error('not reached')) },
      verifyToken: () => Promise.resolve({ state: 'absent' }),
      maxJsonBytes: 100_000,
    },
  )
  server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => promisify(server.close.bind(server))())

test('When a JSON body without a length goes on beyond the limit, then it is rejected at once, little more is read, and its connection ends', async () => {
  const { port } = server.address() as AddressInfo
  const outgoing = request({
    port,
    method: 'POST',
    path: '/api/auth/login',
    headers: { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' },
  })
  outgoing.on('error', () => undefined)
  // `once` would reject with the error of a connection that is reset.
  const closed = new Promise<void>((resolve) => outgoing.on('close', resolve))
  let sentBytes = 0
  const sending = (async () => {
    const chunk = Buffer.alloc(MB, ' ')
    // Bounded, in case that it is read to its end.
    for (let n = 0; n < 500 && !outgoing.destroyed; n += 1) {
      if (!outgoing.write(chunk))
        await Promise.race([new Promise((resolve) => outgoing.once('drain', resolve)), closed])
      sentBytes += chunk.length
    }
  })()
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  expect(response.statusCode).toBe(413)
  response.resume()
  await closed
  await sending
  // What the kernel buffers on both sides.
  expect(sentBytes).toBeLessThan(50 * MB)
})
