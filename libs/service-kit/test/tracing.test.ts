import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'

const kit = JSON.stringify(new URL('../src/index.ts', import.meta.url).href)

/** Runs code in a process of its own, because tracing is of a whole process. Resolves with what it writes, from JSON. */
const runTraced = async <T>(code: string, environment: Record<string, string>): Promise<T> => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
    env: { PATH: process.env.PATH, PORT: '0', METRICS_PORT: '0', ...environment },
  })
  return JSON.parse(stdout) as T
}

/** The packages of OpenTelemetry that a service has loaded when it is up. */
const loadedBy = (environment: Record<string, string>): Promise<string[]> =>
  runTraced(
    `
    import { createRequire } from 'node:module'
    import { createService, readConfig, serviceConfig, systemClock } from ${kit}
    await createService('test', readConfig(serviceConfig, process.env), { clock: systemClock })
    const files = Object.keys(createRequire('/').cache)
    const names = files.map((file) => /.*node_modules\\/@opentelemetry\\/([^/]+)/.exec(file)?.[1])
    process.stdout.write(JSON.stringify([...new Set(names.filter(Boolean))]), () => process.exit(0))`,
    environment,
  )

test('When no receiver of spans is named, then nothing is loaded that could send them', async () => {
  expect(await loadedBy({})).toEqual(['api'])
  expect(await loadedBy({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })).toEqual(['api'])
})

test('When one is named, then what sends them is loaded', async () => {
  expect(await loadedBy({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })).toEqual(
    expect.arrayContaining(['sdk-trace', 'exporter-trace-otlp-http']),
  )
})

// More spans than one batch, which is exported at once.
const failingExports = `
  import { setTimeout as sleep } from 'node:timers/promises'
  import { createService, inSpan, readConfig, serviceConfig, systemClock } from ${kit}
  const lines = []
  const log = { write: (line) => void lines.push(JSON.parse(line).msg) }
  const { lifecycle } = await createService('test', readConfig(serviceConfig, process.env), { clock: systemClock, log })
  const work = async () => {
    for (let n = 0; n < 600; n += 1) await inSpan('work', {}, () => Promise.resolve())
  }
  await work()
  while (!lines.includes('span export failed')) await sleep(20)
  await work()
  await lifecycle.shutDown('SIGTERM')
  process.stdout.write(JSON.stringify(lines), () => process.exit(0))`

test.each([
  ['never answers', () => createServer(() => undefined)],
  ['refuses connections', undefined],
])(
  'When the receiver of spans %s, then the log says so once, and the service works and stops',
  async (_, create) => {
    const receiver = create?.().listen(0, '127.0.0.1')
    if (receiver) await once(receiver, 'listening')
    const port = receiver ? (receiver.address() as AddressInfo).port : 1
    const lines = await runTraced(failingExports, {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '500',
    })
    expect(lines).toEqual(['span export failed', 'shutting down', 'stopped'])
    receiver?.closeAllConnections()
    receiver?.close()
  },
)
