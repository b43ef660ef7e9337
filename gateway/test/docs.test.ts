import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { publicRoutes } from '@confetti/contracts'
import type { ServiceProcess } from '@confetti/launcher'
import { send, startGateway, startUpstream, type Upstream } from './harness.ts'

let upstream: Upstream
let gateway: ServiceProcess

beforeAll(async () => {
  upstream = await startUpstream()
  gateway = await startGateway(upstream.url)
})
afterAll(async () => {
  await gateway.stop()
  await upstream.close()
})

test('The OpenAPI document lists every public route and no internal one', async () => {
  const { status, json } = await send(gateway.url, 'GET /api/openapi.json')
  expect(status).toBe(200)
  expect(json.openapi).toBe('3.1.0')
  const operations = Object.values(json.paths as Record<string, Record<string, { operationId: string }>>)
    .flatMap((path) => Object.values(path))
    .map(({ operationId }) => operationId)
  expect(operations.sort()).toEqual(Object.keys(publicRoutes).sort())
  expect(JSON.stringify(json)).not.toContain('/internal/')
})

test('The documentation page and its files come from the gateway, without inline scripts', async () => {
  const page = await send(gateway.url, 'GET /api/docs')
  expect(page.headers['content-type']).toContain('text/html')
  expect(page.headers['content-security-policy']).toContain("script-src 'self';")
  expect(page.text).not.toMatch(/<script>|style=| on\w+=/)
  const loaded = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => String(path))
  expect(loaded).toHaveLength(4)
  for (const path of loaded) {
    expect(path).toMatch(/^\/api\/docs\//)
    const { status, headers } = await send(gateway.url, `GET ${path}`)
    expect(status).toBe(200)
    expect(headers['content-type']).toMatch(/javascript|css|png/)
  }
})

test('When another file of the documentation is requested, then it is not found', async () => {
  for (const path of [
    'package.json',
    'index.html',
    'swagger-ui.css.map',
    '..%2fpackage.json',
    '%zz',
    '../docs/x',
  ])
    expect([400, 404]).toContain((await send(gateway.url, `GET /api/docs/${path}`)).status)
  expect(upstream.requests).toEqual([])
})
