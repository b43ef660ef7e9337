import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { root } from './paths.ts'

/** Runs the audit against a registry with the request handler `respond`. */
const audit = async (respond: RequestListener): Promise<{ status: number; output: string }> => {
  const registry = createServer(respond).listen(0, '127.0.0.1')
  await once(registry, 'listening')
  const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`
  const cache = await mkdtemp(join(tmpdir(), 'confetti-npm-'))
  const child = spawn(process.execPath, ['scripts/audit.ts', address], {
    cwd: root,
    env: { ...process.env, npm_config_cache: cache },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const [status] = (await once(child, 'close')) as [number]
  registry.close()
  await rm(cache, { recursive: true })
  return { status, output }
}

/** A registry with one vulnerability in one package, and a version that fixes it. */
const withVulnerability =
  (name: string, severity: string): RequestListener =>
  (request, response) => {
    const advisory = {
      id: 1,
      url: 'https://example.org/1',
      title: 'A vulnerability',
      severity,
      vulnerable_versions: '<999',
    }
    const version = { name, version: '999.0.0', dist: {} }
    const packument = { name, 'dist-tags': { latest: '999.0.0' }, versions: { '999.0.0': version } }
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(request.method === 'POST' ? { [name]: [advisory] } : packument))
  }

test('When a production dependency has a high vulnerability, then the audit fails and lists it', async () => {
  const { status, output } = await audit(withVulnerability('busboy', 'high'))
  expect(output).toMatch(/^high: busboy /m)
  expect(status).toBe(1)
})

test('When a vulnerability is moderate, or in a development dependency, then the audit passes', async () => {
  expect(await audit(withVulnerability('busboy', 'moderate'))).toMatchObject({ status: 0 })
  expect(await audit(withVulnerability('jest', 'critical'))).toMatchObject({ status: 0 })
})

test('When the registry rejects the audit request, then the audit fails with an error message', async () => {
  const { status, output } = await audit((_, response) => response.writeHead(405).end())
  expect(output).toMatch(/^The dependencies could not be audited: 405 /m)
  expect(status).toBe(2)
})
