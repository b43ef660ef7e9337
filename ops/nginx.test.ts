import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, request as createRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually } from '@confetti/test-kit'
import { readToolErrors, root, runTool } from './run-tool.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'confetti-nginx-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The policy that the image build makes from the shell's page. */
const makePolicy = async (): Promise<string> => {
  const page = join(folder, 'index.html')
  await writeFile(page, '<!doctype html><script>start()</script>')
  const script = join(root, 'libs/launcher/src/nginx-policy.ts')
  return (await promisify(execFile)(process.execPath, [script, page])).stdout
}

/** Writes the configuration of an image, with these files in its folder `site`. Returns its path. */
const writeConfiguration = async (
  files: Readonly<Record<string, string>>,
  change = (text: string) => text,
): Promise<string> => {
  const site = join(folder, 'site')
  await rm(site, { recursive: true, force: true })
  await mkdir(site)
  // A path of this machine for each path in the image.
  const toLocal = (text: string): string =>
    text
      .replaceAll(/\/(?:tmp|dev)\//g, `${folder}/`)
      .replaceAll('/etc/nginx/site', site)
      .replaceAll('/srv/site', join(root, 'compose/site'))
      .replaceAll('/srv/www', join(folder, 'www'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(site, name), toLocal(text))
  await writeFile(join(folder, 'mime.types'), 'types { text/html html; application/javascript js; }')
  await copyFile(join(root, 'images/nginx/brotli.conf'), join(folder, 'brotli.conf'))
  const main = join(folder, 'nginx.conf')
  await writeFile(main, toLocal(change(await readFile(join(root, 'images/nginx/nginx.conf'), 'utf8'))))
  return main
}

/** What nginx reports about a configuration. */
const checkConfiguration = async (...parts: Parameters<typeof writeConfiguration>): Promise<string> =>
  readToolErrors('nginx', ['-t', '-q', '-c', await writeConfiguration(...parts), '-g', 'daemon off;'])

/** Calls `use` while nginx serves. Resolves when nginx has ended, which until then removes its sockets and its PID file. */
const withNginx = async (configuration: string, use: () => Promise<unknown>): Promise<void> => {
  const running = runTool('nginx', ['-c', configuration, '-g', 'daemon off;'])
  // A check of a configuration leaves an empty one.
  const isServing = () =>
    readFile(join(folder, 'nginx.pid')).then(
      ({ length }) => length > 0,
      () => false,
    )
  try {
    // It ends at once if it cannot serve.
    await Promise.race([running, eventually(isServing, 'nginx')])
    await use()
  } finally {
    // If it has ended by itself, its own error says why.
    await runTool('nginx', ['-c', configuration, '-s', 'stop']).catch(() => undefined)
    await running
  }
}

/** Announces a body of 5 MB, by which nginx decides. Resolves with status and `Location` of the response. */
const post = async (socketPath: string, path: string): Promise<(number | string | undefined)[]> => {
  const headers = { 'Content-Length': 5_000_000 }
  const request = createRequest({ socketPath, path, method: 'POST', headers })
  request.flushHeaders()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.destroy()
  return [response.statusCode, response.headers.location]
}

const readSite = (name: string): Promise<string> => readFile(join(root, 'images/nginx', name), 'utf8')

test('nginx accepts the configuration of the shell and of the remotes without a warning', async () => {
  expect(await checkConfiguration({ 'remote.conf': await readSite('remote.conf') })).toBe('')
  const shell = { 'shell.conf': await readSite('shell.conf'), 'policy.conf': await makePolicy() }
  expect(await checkConfiguration(shell)).toBe('')
})

test('nginx redirects photos that are shared where there is no service worker to the upload page', async () => {
  const socket = join(folder, 'shell.socket')
  const shell = (await readSite('shell.conf')).replace('listen 8080', 'listen unix:/tmp/shell.socket')
  const configuration = await writeConfiguration({ 'shell.conf': shell, 'policy.conf': await makePolicy() })
  await withNginx(configuration, async () => {
    expect(await post(socket, '/share')).toEqual([303, '/upload'])
    expect(await post(socket, '/upload')).toEqual([413, undefined])
  })
})

test('nginx sends the compressed file that the browser accepts', async () => {
  const www = join(folder, 'www')
  await mkdir(www)
  // Its workers have no rights of root.
  await chmod(folder, 0o755)
  const name = 'main.0123456789.js'
  for (const ending of ['', '.gz', '.br']) await writeFile(join(www, name + ending), `file${ending}`)
  await writeFile(join(www, 'plain.js'), 'file')
  const load = async (socketPath: string, path: string, acceptEncoding: string) => {
    const request = createRequest({ socketPath, path, headers: { 'Accept-Encoding': acceptEncoding } })
    request.end()
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    const { headers } = response
    const body = (await response.toArray()).join('')
    return [
      body,
      headers['content-encoding'],
      headers.vary,
      headers['cache-control'],
      headers['content-type'],
    ]
  }
  const type = 'application/javascript; charset=utf-8'
  const immutable = 'public, max-age=31536000, immutable'
  for (const site of ['shell', 'remote']) {
    const socket = join(folder, `${site}.socket`)
    const server = (await readSite(`${site}.conf`)).replace('listen 8080', `listen unix:/tmp/${site}.socket`)
    const policy = site === 'shell' ? { 'policy.conf': await makePolicy() } : {}
    const configuration = await writeConfiguration({ [`${site}.conf`]: server, ...policy })
    await withNginx(configuration, async () => {
      for (const path of [`/${name}`, ...(site === 'remote' ? [`/remotes/admin/1/${name}`] : [])]) {
        const brotli = ['file.br', 'br', 'Accept-Encoding', immutable, type]
        expect(await load(socket, path, 'gzip, deflate, br, zstd')).toEqual(brotli)
        const gzip = ['file.gz', 'gzip', 'Accept-Encoding', immutable, type]
        expect(await load(socket, path, 'gzip, br;q=0')).toEqual(gzip)
        const plain = ['file', undefined, 'Accept-Encoding', immutable, type]
        expect(await load(socket, path, 'identity')).toEqual(plain)
      }
      expect(await load(socket, '/plain.js', 'br')).toEqual(['file', undefined, undefined, 'no-cache', type])
      expect((await load(socket, '/missing.js', 'br'))[0]).toContain('404')
    })
  }
})

// As the apps send them.
const crawlers = {
  WhatsApp: 'WhatsApp/2.23.20.0 A',
  Signal: 'WhatsApp/2',
  iMessage:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
  Telegram: 'TelegramBot (like TwitterBot)',
  Slack: 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  Facebook: 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  X: 'Twitterbot/1.0',
  LinkedIn: 'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
}
const browsers = {
  Safari:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  'the browser in Instagram':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 390.0.0.21.81 (iPhone14,5; iOS 18_6; de_DE; de; scale=3.00; 1170x2532)',
  'the browser in Facebook':
    'Mozilla/5.0 (Linux; Android 15; Pixel 8 Build/AP4A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/490.0.0.0;]',
  'the browser in X':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Mobile/15E148 Twitter for iPhone/10.9',
  'the browser in LinkedIn': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) [LinkedInApp]/9.30',
}

test('nginx passes short links, and crawlers that ask for a link, on to the gateway, and answers itself where it has no answer', async () => {
  const www = join(folder, 'www')
  await mkdir(www, { recursive: true })
  await chmod(folder, 0o755)
  await writeFile(join(www, 'index.html'), 'the app')
  const gateway = createServer(({ url = '', headers }, response) => {
    response.statusCode = url.includes('2222') ? 404 : url.endsWith('/link') ? 302 : 200
    response.setHeader('Cache-Control', 'of the gateway')
    if (response.statusCode === 302) response.setHeader('Location', 'https://site.test/upload?eventId=1')
    response.end(`${url} for ${String(headers['x-forwarded-for'])}`)
  }).listen(0, '127.0.0.1')
  await once(gateway, 'listening')
  const { port } = gateway.address() as AddressInfo
  const load = async (path: string, userAgent: string) => {
    const socketPath = join(folder, 'shell.socket')
    const headers = { 'User-Agent': userAgent, 'X-Forwarded-For': '203.0.113.7' }
    const request = createRequest({ socketPath, path, headers }).end()
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    const { 'cache-control': cacheControl, location } = response.headers
    return [response.statusCode, (await response.toArray()).join(''), cacheControl, location]
  }
  const eventId = '6b03b0c58bddcb2b37aa5f39'
  const app = [200, 'the app', 'no-cache', undefined]
  const answer = (url: string, status = 200, location?: string) => [
    status,
    `${url} for 203.0.113.7`,
    'of the gateway',
    location,
  ]
  const serve = async (gatewayUrl: string, use: () => Promise<unknown>): Promise<void> => {
    const shell = (await readSite('shell.conf'))
      .replace('listen 8080', 'listen unix:/tmp/shell.socket')
      .replace(/^include .srv.site.*$/m, `$&\nmap "" $gateway_url { default "${gatewayUrl}"; }`)
    const configuration = await writeConfiguration({ 'shell.conf': shell, 'policy.conf': await makePolicy() })
    await withNginx(configuration, use)
  }

  await serve(`http://127.0.0.1:${port}`, async () => {
    for (const userAgent of Object.values(crawlers)) {
      const preview = answer(`/api/events/${eventId}/preview`)
      expect([userAgent, ...(await load(`/upload?eventId=${eventId}`, userAgent))]).toEqual([
        userAgent,
        ...preview,
      ])
      expect(await load('/e/7F3K-9QXM?fbclid=1', userAgent)).toEqual(answer('/api/codes/7F3K-9QXM/preview'))
      expect(await load('/upload', userAgent)).toEqual(app)
      expect(await load('/e/2222-2222', userAgent)).toEqual(app)
    }
    for (const userAgent of Object.values(browsers)) {
      const redirect = answer('/api/codes/7F3K-9QXM/link', 302, 'https://site.test/upload?eventId=1')
      expect([userAgent, ...(await load('/e/7F3K-9QXM', userAgent))]).toEqual([userAgent, ...redirect])
      expect(await load(`/upload?eventId=${eventId}`, userAgent)).toEqual(app)
      expect(await load('/e/2222-2222', userAgent)).toEqual(app)
    }
    const picture = await load(`/preview/${eventId}.jpg`, crawlers.WhatsApp)
    expect(picture).toEqual(answer(`/api/events/${eventId}/preview.jpg`))
    // Nothing else of the gateway can be reached.
    for (const path of ['/api/events/active', '/e/..%2Fevents%2Factive', '/e/a/b'])
      expect((await load(path, browsers.Safari))[1]).not.toContain('203.0.113.7')
    expect((await load('/preview/../api/events/active.jpg', browsers.Safari))[1]).not.toContain('203.0.113.7')
  }).finally(() => gateway.close())

  // Where the gateway is down, and in a site of an earlier version.
  for (const gatewayUrl of [`http://127.0.0.1:${port}`, ''])
    await serve(gatewayUrl, async () => {
      expect(await load('/e/7F3K-9QXM', browsers.Safari)).toEqual(app)
      expect(await load(`/upload?eventId=${eventId}`, crawlers.Slack)).toEqual(app)
    })
})

test('A type that nginx already has is reported', async () => {
  const addDuplicate = (text: string) => text.replace('charset_types ', 'charset_types text/html ')
  const remote = { 'remote.conf': await readSite('remote.conf') }
  expect(await checkConfiguration(remote, addDuplicate)).toContain('duplicate MIME type "text/html"')
})
