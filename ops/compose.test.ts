import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, test } from '@jest/globals'
import { parseCompose } from './compose.ts'
import { renderManifests } from './overlays.ts'
import { workloads } from './references.ts'
import { root, runTool } from './run-tool.ts'

const PUBLIC_SITE = 'compose/public-site.yml'
const files = ['docker-compose.yml', PUBLIC_SITE, 'images/without-registry/compose.yml']

const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

interface Service {
  mem_limit?: string
  networks?: string[]
  environment?: Record<string, string>
}
const readServices = async (file: string): Promise<Record<string, Service>> =>
  (parseCompose(await read(file)) as { services: Record<string, Service> }).services

test('The compose files satisfy the schema of the Compose specification', async () => {
  await runTool('check-jsonschema', ['--builtin-schema', 'vendor.compose-spec', ...files])
})

test('.env.example has exactly the variables that the compose files read', async () => {
  const compose = (await Promise.all(files.map(read))).join('\n')
  const used = [...compose.matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name]) => name)
  const documented = [...(await read('.env.example')).matchAll(/^(\w+)=/gm)].map(([, name]) => name)
  expect(new Set(documented)).toEqual(new Set(used))
})

test('The compose file for locally built images sets MONGO_URL of every service that has one', async () => {
  const withDatabase = (services: Record<string, Service>) =>
    Object.keys(services).filter((name) => services[name]?.environment?.MONGO_URL)
  expect(withDatabase(await readServices('images/without-registry/compose.yml'))).toEqual(
    withDatabase(await readServices('docker-compose.yml')),
  )
})

test('Every container has a memory limit, that of its pod in Kubernetes', async () => {
  const pods = new Map(
    workloads(await renderManifests('local')).map(({ metadata, spec }) => [
      metadata.name,
      spec.template.spec.containers[0].resources.limits.memory as string,
    ]),
  )
  const services = Object.entries(await readServices('docker-compose.yml'))
  expect(services.length).toBeGreaterThan(pods.size)
  for (const [name, { mem_limit: limit }] of services) {
    expect([name, limit]).toEqual([name, expect.any(String)])
    expect([name, limit]).toEqual([name, pods.get(name.replace(/-2$/, ''))?.replace('i', '').toLowerCase()])
  }
  expect((await readServices(PUBLIC_SITE)).caddy?.mem_limit).toBeDefined()
})

test('The database user of the services may only read and write their databases', async () => {
  const services = Object.values(await readServices('docker-compose.yml'))
  const urls = services.flatMap(({ environment }) => environment?.MONGO_URL ?? [])
  const databases = urls.map((url) => {
    const [, user, database] = /^mongodb:\/\/\$\{(\w+)\}:.*\/([\w-]+)\?/.exec(url) ?? []
    expect(user).toBe('MONGO_USER')
    return database
  })
  const script = await read('compose/mongodb/create-user.js')
  /** The calls of the script in a database that has a user with this name. */
  const runWith = (existing: string | undefined): unknown => {
    const calls: unknown[] = []
    const admin = {
      getUser: (name: string) => (name === existing ? { user: name } : null),
      createUser: (...args: unknown[]) => calls.push(['createUser', ...args]),
      updateUser: (...args: unknown[]) => calls.push(['updateUser', ...args]),
    }
    runInNewContext(script, {
      db: { getSiblingDB: (name: string) => (name === 'admin' ? admin : undefined) },
      process: { env: { MONGO_USER: 'confetti', MONGO_PASSWORD: 'secret' } },
    })
    return JSON.parse(JSON.stringify(calls))
  }
  const roles = [...new Set(databases)].map((db) => ({ role: 'readWrite', db }))
  expect(runWith(undefined)).toEqual([['createUser', { user: 'confetti', pwd: 'secret', roles }]])
  expect(runWith('confetti')).toEqual([['updateUser', 'confetti', { roles }]])
  const { mongodb } = await readServices('docker-compose.yml')
  expect(mongodb?.environment).toMatchObject({
    MONGO_INITDB_ROOT_USERNAME: 'root',
    MONGO_INITDB_ROOT_PASSWORD: '${MONGO_ROOT_PASSWORD}',
  })
})

interface CaddyRoute {
  match?: { path?: string[] }[]
  handle: { routes?: CaddyRoute[]; upstreams?: { dial: string }[] }[]
}

/** The upstream of each path that a Caddy configuration proxies; `*` is the rest. */
const upstreamsOf = (routes: readonly CaddyRoute[], path = '*'): [path: string, upstream: string][] =>
  routes.flatMap(({ match, handle }) =>
    handle.flatMap(({ routes: inner = [], upstreams = [] }) => [
      ...upstreams.map(({ dial }): [string, string] => [match?.[0]?.path?.[0] ?? path, dial]),
      ...upstreamsOf(inner, match?.[0]?.path?.[0] ?? path),
    ]),
  )

test('On a public site, the proxy leads each path to its container, and the shell finds the remotes there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'confetti-caddy-'))
  const file = join(folder, 'Caddyfile')
  await writeFile(file, (await read('compose/Caddyfile')).replace('{$SITE_HOST}', 'confetti.example.org'))
  const adapted = JSON.parse(await runTool('caddy', ['adapt', '--config', file])) as {
    apps: { http: { servers: { srv0: { routes: CaddyRoute[] } } } }
  }
  await rm(folder, { recursive: true })
  const upstreams = new Map(upstreamsOf(adapted.apps.http.servers.srv0.routes))
  const base = await readServices('docker-compose.yml')
  for (const upstream of upstreams.values())
    expect(base[upstream.replace(':8080', '')]?.networks).toContain('outside')
  const { apiUrl, remotes } = JSON.parse(await read('compose/public-site/config.json')) as {
    apiUrl: string
    remotes: Record<string, string>
  }
  expect(await read('.env.example')).toContain(`SITE_HOST=${new URL(apiUrl).host}\n`)
  const ofRemotes = Object.entries(remotes).map(([name, url]): [string, string] => {
    expect(url).toMatch(new RegExp(`^/remotes/${name}/\\w+/mf-manifest\\.json$`))
    return [`/remotes/${name}/*`, `${name}-frontend:8080`]
  })
  expect(upstreams).toEqual(new Map([['/api/*', 'gateway:8080'], ...ofRemotes, ['*', 'shell-frontend:8080']]))
})
