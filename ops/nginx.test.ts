import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request as createRequest, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
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
  // Resolves when nginx serves in the background.
  await runTool('nginx', ['-c', configuration])
  try {
    expect(await post(socket, '/share')).toEqual([303, '/upload'])
    expect(await post(socket, '/upload')).toEqual([413, undefined])
  } finally {
    await runTool('nginx', ['-c', configuration, '-s', 'stop'])
  }
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
    await runTool('nginx', ['-c', configuration])
    try {
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
    } finally {
      await runTool('nginx', ['-c', configuration, '-s', 'stop'])
    }
  }
})

test('A type that nginx already has is reported', async () => {
  const addDuplicate = (text: string) => text.replace('charset_types ', 'charset_types text/html ')
  const remote = { 'remote.conf': await readSite('remote.conf') }
  expect(await checkConfiguration(remote, addDuplicate)).toContain('duplicate MIME type "text/html"')
})
