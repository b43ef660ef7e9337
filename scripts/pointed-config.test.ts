import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { serve } from '@confetti/launcher'
import type { SiteConfig } from '@confetti/federation/remote'
import { pointedConfig } from './pointed-config.ts'

type Served = Record<string, { body: unknown; type?: string; cors?: string } | undefined>

const contract = { shell: '1.0.0', exposes: './routes', areas: [], shared: { react: '19.3.1' } }
const assets = (sync: string[]) => ({ js: { sync, async: ['2.js'] }, css: { sync: [], async: ['2.css'] } })
const manifest = (buildVersion: string, requiredVersion = '^19') => ({
  name: 'confetti_admin',
  metaData: { buildInfo: { buildVersion }, remoteEntry: { name: 'remote-entry.js' } },
  exposes: [{ path: './routes', assets: assets(['1.js']) }],
  shared: [{ name: 'react', version: '19.3.1', singleton: true, requiredVersion, assets: assets([]) }],
})
const filesOf = (base: string, answer: Served[string]): Served =>
  Object.fromEntries(['remote-entry.js', '1.js', '2.js', '2.css'].map((file) => [base + file, answer]))

const startSite = async () => {
  const site = {
    served: {} as Served,
    server: await serve((request, response) => {
      const found = site.served[request.url ?? '']
      if (!found) return void response.writeHead(404).end()
      const { body, type = 'application/json', cors } = found
      response.writeHead(200, { 'Content-Type': type, ...(cors && { 'Access-Control-Allow-Origin': cors }) })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    }),
  }
  return site
}

let shell: Awaited<ReturnType<typeof startSite>>
let elsewhere: Awaited<ReturnType<typeof startSite>>
beforeAll(async () => {
  shell = await startSite()
  elsewhere = await startSite()
})
afterAll(async () => {
  await shell.server.close()
  await elsewhere.server.close()
})

const OLD = '/remotes/admin/1.0.0/'
const NEW = '/remotes/admin/1.1.0/'
const code = { body: '1', type: 'text/javascript' }
const config: SiteConfig = {
  brand: 'Confetti',
  remotes: {
    public: '/remotes/public/3.0.0/mf-manifest.json',
    organiser: '/remotes/organiser/2.0.0/mf-manifest.json',
    admin: `${OLD}mf-manifest.json`,
  },
}

beforeEach(() => {
  shell.served = {
    '/remote-contract.json': { body: contract },
    [`${OLD}mf-manifest.json`]: { body: manifest('1.0.0') },
    ...filesOf(OLD, code),
    [`${NEW}mf-manifest.json`]: { body: manifest('1.1.0') },
    ...filesOf(NEW, code),
  }
})

const point = (version: string, from = config) =>
  pointedConfig({ config: from, site: shell.server.url, remote: 'admin', version })

test('When a version is there whole and is for this shell, then the configuration points at it and at nothing else new', async () => {
  expect(await point('1.1.0')).toEqual({
    ...config,
    remotes: { ...config.remotes, admin: `${NEW}mf-manifest.json` },
  })
})

test('When it is pointed there and back, then all is as it was', async () => {
  expect(await point('1.0.0', await point('1.1.0'))).toEqual(config)
})

test('When a version is not there, then nothing is pointed at it', async () => {
  await expect(point('1.2.0')).rejects.toThrow('/remotes/admin/1.2.0/mf-manifest.json answered 404.')
})

test('When one of its files is missing, then that is said', async () => {
  shell.served[`${NEW}2.css`] = undefined
  await expect(point('1.1.0')).rejects.toThrow(`${NEW}2.css answered 404.`)
})

test('When pages answer in place of its files, then that is said', async () => {
  shell.served[`${NEW}1.js`] = { body: '<!doctype html>', type: 'text/html' }
  await expect(point('1.1.0')).rejects.toThrow(`${NEW}1.js is a page.`)
})

test('When a page answers in place of its manifest, then that is said', async () => {
  shell.served[`${NEW}mf-manifest.json`] = { body: '<!doctype html>', type: 'text/html' }
  await expect(point('1.1.0')).rejects.toThrow(`${NEW}mf-manifest.json is no JSON.`)
})

test('When it was built for a newer shell, then that is said', async () => {
  shell.served[`${NEW}mf-manifest.json`] = { body: manifest('1.1.0', '^20') }
  await expect(point('1.1.0')).rejects.toThrow('It needs react ^20; the shell has 19.3.1.')
})

test('When another version answers at its address, then that is said', async () => {
  shell.served[`${NEW}mf-manifest.json`] = { body: manifest('1.0.9') }
  await expect(point('1.1.0')).rejects.toThrow('What answers there is version 1.0.9.')
})

test.each(['../1.1.0', 'latest', '1.1', ''])(
  'When %j is given as version, then it is none',
  async (version) => {
    await expect(point(version)).rejects.toThrow('is no version.')
  },
)

test('When a remote stands at an address without a version, then there is nothing to point at', async () => {
  const remotes = { ...config.remotes, admin: 'http://localhost:3004/mf-manifest.json' }
  await expect(point('1.1.0', { ...config, remotes })).rejects.toThrow('has no version in its path')
})

test('When the site has another remote at that address, then it is not taken for this one', async () => {
  const remotes = { ...config.remotes, admin: '/remotes/public/1.0.0/mf-manifest.json' }
  await expect(point('1.1.0', { ...config, remotes })).rejects.toThrow('has no version in its path')
})

test.each([
  ['allows every page to read it', '*', true],
  ['allows none', undefined, false],
  ['allows another site alone', 'https://other.example', false],
])('When a remote on another host %s, then what it answers with, %s, decides', async (_, cors, isTaken) => {
  const there = elsewhere.server.url
  const answer = { ...code, ...(cors && { cors }) }
  elsewhere.served = {
    [`${NEW}mf-manifest.json`]: { body: manifest('1.1.0'), ...(cors && { cors }) },
    ...filesOf(NEW, answer),
  }
  const remotes = { ...config.remotes, admin: `${there}${OLD}mf-manifest.json` }
  const pointed = point('1.1.0', { ...config, remotes })
  if (isTaken) expect((await pointed).remotes.admin).toBe(`${there}${NEW}mf-manifest.json`)
  else await expect(pointed).rejects.toThrow('may not be read by')
})

test('When the site does not answer, then that is said', async () => {
  const gone = await serve(() => undefined)
  await gone.close()
  await expect(pointedConfig({ config, site: gone.url, remote: 'admin', version: '1.1.0' })).rejects.toThrow(
    'does not answer.',
  )
})
