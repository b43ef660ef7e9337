import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { root } from './places.ts'

/** Runs the audit against a registry that answers like this. */
const audit = async (answer: RequestListener): Promise<{ status: number; said: string }> => {
  const registry = createServer(answer).listen(0, '127.0.0.1')
  await once(registry, 'listening')
  const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`
  const cache = await mkdtemp(join(tmpdir(), 'confetti-npm-'))
  const child = spawn(process.execPath, ['scripts/audit.ts', address], {
    cwd: root,
    env: { ...process.env, npm_config_cache: cache },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  const [status] = (await once(child, 'close')) as [number]
  registry.close()
  await rm(cache, { recursive: true })
  return { status, said }
}

/** A registry that knows one hole in one package, of which there is a version without it. */
const withHole =
  (name: string, severity: string): RequestListener =>
  (request, response) => {
    const advisory = {
      id: 1,
      url: 'https://example.org/1',
      title: 'A hole',
      severity,
      vulnerable_versions: '<999',
    }
    const version = { name, version: '999.0.0', dist: {} }
    const packument = { name, 'dist-tags': { latest: '999.0.0' }, versions: { '999.0.0': version } }
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(request.method === 'POST' ? { [name]: [advisory] } : packument))
  }

test('When a package that runs in production has a serious hole, then the audit fails and names it', async () => {
  const { status, said } = await audit(withHole('busboy', 'high'))
  expect(said).toMatch(/^high: busboy /m)
  expect(status).toBe(1)
})

test('When a hole is not serious, or in what only developers run, then the audit passes', async () => {
  expect(await audit(withHole('busboy', 'moderate'))).toMatchObject({ status: 0 })
  expect(await audit(withHole('jest', 'critical'))).toMatchObject({ status: 0 })
})

test('When the registry does not answer the question, then the audit fails and says so', async () => {
  const { status, said } = await audit((_, response) => response.writeHead(405).end())
  expect(said).toMatch(/^The packages could not be audited: 405 /m)
  expect(status).toBe(2)
})
