import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'

/** The packages of OpenTelemetry that a service has loaded when it is up. */
const loadedBy = async (environment: Record<string, string>): Promise<string[]> => {
  const service = `
    import { createRequire } from 'node:module'
    import { createService, readConfig, serviceConfig, systemClock } from ${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)}
    await createService('test', readConfig(serviceConfig, process.env), { clock: systemClock })
    const files = Object.keys(createRequire('/').cache)
    const names = files.map((file) => /.*node_modules\\/@opentelemetry\\/([^/]+)/.exec(file)?.[1])
    process.stdout.write(JSON.stringify([...new Set(names.filter(Boolean))]), () => process.exit(0))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', service], {
    env: { PATH: process.env.PATH, PORT: '0', METRICS_PORT: '0', ...environment },
  })
  return JSON.parse(stdout) as string[]
}

test('When no receiver of spans is named, then nothing is loaded that could send them', async () => {
  expect(await loadedBy({})).toEqual(['api'])
  expect(await loadedBy({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })).toEqual(['api'])
})

test('When one is named, then what sends them is loaded', async () => {
  expect(await loadedBy({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })).toEqual(
    expect.arrayContaining(['sdk-trace', 'exporter-trace-otlp-http']),
  )
})
