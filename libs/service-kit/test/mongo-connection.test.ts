import type { Socket } from 'node:net'
import { connectMongo, createLogger } from '@confetti/service-kit'
import { eventually, testBackends } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Connection } from 'mongoose'

/** What the tests use of the driver's internals. */
interface DriverServer {
  monitor: { connection: { socket: Socket } | null; requestCheck: () => void }
  pool: { connections: Iterable<{ socket: Socket }> }
}

// Sooner after a check, the driver postpones the next one.
const MIN_CHECK_INTERVAL_MS = 600

let connection: Connection
beforeAll(async () => {
  connection = await connectMongo(`${testBackends().mongo}/unused`, createLogger('test', 'fatal'))
})
afterAll(() => connection.close())

const getServer = (): DriverServer => {
  const { topology } = connection.getClient() as unknown as {
    topology: { s: { servers: Map<string, DriverServer> } }
  }
  const [server] = topology.s.servers.values()
  if (!server) throw new Error('There is no server.')
  return server
}
const ping = () => connection.db?.command({ ping: 1 })

test('When a command is written to a socket that has been destroyed and not closed yet, then it fails, and the next one succeeds', async () => {
  await ping()
  for (const { socket } of getServer().pool.connections) socket.destroy()
  await expect(ping()).rejects.toThrow(/connection \d+ to .* closed/)
  await ping()
})

test('When the socket that monitors the server has been destroyed and not closed yet, then the server is checked again', async () => {
  const checks: ('failed' | 'succeeded')[] = []
  let checkedAt = Date.now()
  connection
    .getClient()
    .on('serverHeartbeatFailed', () => checks.push('failed'))
    .on('serverHeartbeatSucceeded', () => {
      checks.push('succeeded')
      checkedAt = Date.now()
    })
  const { monitor } = getServer()
  await eventually(() => Date.now() - checkedAt > MIN_CHECK_INTERVAL_MS, 'the driver checking at once again')
  checks.length = 0
  monitor.connection?.socket.destroy()
  monitor.requestCheck()
  await eventually(() => checks.length > 0, 'the end of the check')
  expect(checks).toEqual(['failed'])
  await ping()
  expect(checks).toContain('succeeded')
})
