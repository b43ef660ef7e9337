import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from '@jest/globals'
import { createService, systemClock } from '../src/index.ts'

const CONNECTIONS = 64

const openService = async (port = 0) => {
  const service = await createService(
    'example',
    {
      HOST: '127.0.0.1',
      PORT: port,
      METRICS_PORT: 0,
      LOG_LEVEL: 'fatal',
      SHUTDOWN_DELAY_MS: 0,
      SHUTDOWN_GRACE_MS: 1_000,
      IDLE_TIMEOUT_MS: 60_000,
      REQUEST_TIMEOUT_MS: 60_000,
      MAX_CONNECTIONS: 1_000,
      OTEL_TRACES_SAMPLER_ARG: 0,
    },
    { clock: systemClock },
  )
  const { url, stop } = await service.listen((_, response) => response.end())
  return {
    port: Number(new URL(url).port),
    stop,
    countConnections: async (): Promise<number> => {
      const metric = await service.registry.getSingleMetric('http_connections')?.get()
      return metric?.values[0]?.value ?? NaN
    },
  }
}

// Elsewhere, one socket listens.
const testOnLinux = process.platform === 'linux' ? test : test.skip

testOnLinux('When many clients connect at once, then a turn of the loop accepts many of them', async () => {
  const { port, stop, countConnections } = await openService()
  const clients = Array.from({ length: CONNECTIONS }, () => connect(port, '127.0.0.1'))
  let turns = 0
  while ((await countConnections()) < CONNECTIONS) {
    await new Promise(setImmediate)
    turns += 1
  }
  expect(turns).toBeLessThan(CONNECTIONS / 2)
  for (const client of clients) client.destroy()
  await stop()
})

test('When a service is to listen at a port where another one does, then it does not start', async () => {
  const { port, stop } = await openService()
  await expect(openService(port)).rejects.toThrow('EADDRINUSE')
  await stop()
  const again = await openService(port)
  const client = connect(port, '127.0.0.1')
  await once(client, 'connect')
  client.destroy()
  await again.stop()
})
