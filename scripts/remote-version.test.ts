import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { serve } from '@confetti/launcher'
import type { SiteConfig } from '@confetti/federation/remote'
import { updateRemoteVersion } from './remote-version.ts'

type Served = Record<string, { body: unknown; type?: string; cors?: string } | undefined>

const contract = { shell: '1.0.0', exposes: './routes', areas: [], shared: { react: '19.3.1' } }
const assets = (sync: string[]) => ({ js: { sync, async: ['2.js'] }, css: { sync: [], async: ['2.css'] } })
const manifest = (buildVersion: string, requiredVersion = '^19') => ({
  name: 'confetti_admin',
  metaData: { buildInfo: { buildVersion }, remoteEntry: { name: 'remote-entry.js' } },
  exposes: [{ path: './routes', assets: assets(['1.js']) }],
  shared: [{ name: 'react', version: '19.3.1', singleton: true, requiredVersion, assets: assets([]) }],
})
const filesOf = (base: string, file: Served[string]): Served =>
  Object.fromEntries(['remote-entry.js', '1.js', '2.js', '2.css'].map((name) => [base + name, file]))

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
let otherHost: Awaited<ReturnType<typeof startSite>>
beforeAll(async () => {
  shell = await startSite()
  otherHost = await startSite()
})
afterAll(async () => {
  await shell.server.close()
  await otherHost.server.close()
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

const update = (version: string, currentConfig = config) =>
  updateRemoteVersion({ config: currentConfig, site: shell.server.url, remote: 'admin', version })

test('When a version is complete and compatible with the shell, then the configuration uses it and is otherwise unchanged', async () => {
  expect(await update('1.1.0')).toEqual({
    ...config,
    remotes: { ...config.remotes, admin: `${NEW}mf-manifest.json` },
  })
})

test('When a remote is updated and rolled back, then the configuration is as before', async () => {
  expect(await update('1.0.0', await update('1.1.0'))).toEqual(config)
})

test('When a version does not exist, then it is rejected', async () => {
  await expect(update('1.2.0')).rejects.toThrow('/remotes/admin/1.2.0/mf-manifest.json responded with 404.')
})

test('When a file of the version is missing, then the error names it', async () => {
  shell.served[`${NEW}2.css`] = undefined
  await expect(update('1.1.0')).rejects.toThrow(`${NEW}2.css responded with 404.`)
})

test('When the site serves a page instead of a file, then the error names the file', async () => {
  shell.served[`${NEW}1.js`] = { body: '<!doctype html>', type: 'text/html' }
  await expect(update('1.1.0')).rejects.toThrow(`${NEW}1.js is an HTML page.`)
})

test('When the site serves a page instead of the manifest, then the error names the manifest', async () => {
  shell.served[`${NEW}mf-manifest.json`] = { body: '<!doctype html>', type: 'text/html' }
  await expect(update('1.1.0')).rejects.toThrow(`${NEW}mf-manifest.json is not JSON.`)
})

test('When the version needs a newer shell, then the error names the missing version', async () => {
  shell.served[`${NEW}mf-manifest.json`] = { body: manifest('1.1.0', '^20') }
  await expect(update('1.1.0')).rejects.toThrow('It needs react ^20; the shell has 19.3.1.')
})

test('When the URL serves another version, then the error names it', async () => {
  shell.served[`${NEW}mf-manifest.json`] = { body: manifest('1.0.9') }
  await expect(update('1.1.0')).rejects.toThrow('The URL serves version 1.0.9.')
})

test.each(['../1.1.0', 'latest', '1.1', ''])(
  'When the version is %j, then it is rejected as invalid',
  async (version) => {
    await expect(update(version)).rejects.toThrow('is not a version.')
  },
)

test('When the remote has a URL without a version, then the update is rejected', async () => {
  const remotes = { ...config.remotes, admin: 'http://localhost:3004/mf-manifest.json' }
  await expect(update('1.1.0', { ...config, remotes })).rejects.toThrow('has no version in its path')
})

test('When the URL belongs to another remote, then the update is rejected', async () => {
  const remotes = { ...config.remotes, admin: '/remotes/public/1.0.0/mf-manifest.json' }
  await expect(update('1.1.0', { ...config, remotes })).rejects.toThrow('has no version in its path')
})

test.each([
  ['allows all origins', '*', true],
  ['allows no origin', undefined, false],
  ['allows only another origin', 'https://other.example', false],
])('When another host %s (%s), then a remote there is accepted: %s', async (_, cors, isAccepted) => {
  const otherUrl = otherHost.server.url
  const file = { ...code, ...(cors && { cors }) }
  otherHost.served = {
    [`${NEW}mf-manifest.json`]: { body: manifest('1.1.0'), ...(cors && { cors }) },
    ...filesOf(NEW, file),
  }
  const remotes = { ...config.remotes, admin: `${otherUrl}${OLD}mf-manifest.json` }
  const updated = update('1.1.0', { ...config, remotes })
  if (isAccepted) expect((await updated).remotes.admin).toBe(`${otherUrl}${NEW}mf-manifest.json`)
  else await expect(updated).rejects.toThrow('does not allow requests from')
})

test('When the site does not respond, then the update is rejected', async () => {
  const stopped = await serve(() => undefined)
  await stopped.close()
  await expect(
    updateRemoteVersion({ config, site: stopped.url, remote: 'admin', version: '1.1.0' }),
  ).rejects.toThrow('does not respond.')
})
