import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import compression from 'compression'
import express, { type RequestHandler } from 'express'
import sirv from 'sirv'
import { contentSecurityPolicy } from './content-security-policy.ts'

const folder = (name: FrontendName): string =>
  fileURLToPath(new URL(`../../../frontends/${name}/`, import.meta.url))

const distOf = (name: FrontendName): string => join(folder(name), 'dist')

const remotes = ['public', 'organiser', 'admin'] as const
type RemoteName = (typeof remotes)[number]
export type FrontendName = 'shell' | RemoteName

/** Builds a frontend by its team's own command. Rejects with what the build said. */
const build = async (name: FrontendName): Promise<void> => {
  const rspack = fileURLToPath(new URL('../../../node_modules/@rspack/cli/bin/rspack.js', import.meta.url))
  await promisify(execFile)(process.execPath, [rspack, 'build'], { cwd: folder(name) }).catch(
    (error: unknown) => {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
      throw new Error(`The ${name} frontend could not be built:\n${stdout}${stderr}`)
    },
  )
}

export const buildFrontends = async (): Promise<void> => {
  await Promise.all((['shell', ...remotes] as const).map(build))
}

interface Server {
  url: string
  close: () => Promise<void>
}

/** Serves a listener on `port` of this machine; a free one for 0. */
export const serve = async (listener: RequestListener, port = 0): Promise<Server> => {
  const server = createServer(listener)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

// Names with a hash of what is in them; everything else may change under its name.
const isHashed = (path: string): boolean => /\.[0-9a-f]{10}\.\w+$/.test(path)

/** The built files of a frontend, as any web server would serve them: compressed, hashed names for ever. */
const files = (dist: string) =>
  sirv(dist, {
    // Looks at the disk each time: a remote may be built anew while this runs.
    dev: true,
    etag: true,
    setHeaders: (response, path) => {
      response.setHeader('Cache-Control', isHashed(path) ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })

/** Serves what the build of a remote left in `dist`, for a shell that is at another address. */
export const serveRemote = (dist: string): Promise<Server> =>
  serve(
    express()
      .disable('x-powered-by')
      .use((_request, response, next) => {
        response.setHeader('Access-Control-Allow-Origin', '*')
        next()
      })
      .use(compression())
      .use(files(dist)),
  )

export interface Frontends {
  /** The shell's address. */
  url: string
  /** Where each remote is served. */
  remotes: Readonly<Record<RemoteName, string>>
  stop: () => Promise<void>
}

export interface FrontendsOptions {
  /** The API's address; asked for when a page is, so that the API may start later. */
  apiUrl: () => string
  shellPort?: number
  brand?: string
  /** Manifests that stand elsewhere than with us. */
  manifests?: Partial<Record<RemoteName, string>>
  /** The built files of another shell than ours. */
  shellFiles?: string | undefined
}

// The shell's routes: every address that names no file.
const pages = /^[^.]*$/

// Everything that the page needs has an address on this machine.
const here = 'http://localhost:* http://127.0.0.1:*'

/** The policy under which the shell's pages run in production, so that nobody builds what it forbids. */
const policy =
  (shellFiles: string): RequestHandler =>
  async (_request, response, next) => {
    const page = await readFile(join(shellFiles, 'index.html'), 'utf8')
    const origins = { scripts: here, connections: here, media: here }
    response.setHeader('Content-Security-Policy', contentSecurityPolicy(page, origins))
    next()
  }

/** Serves the four built frontends, each by itself, and tells the shell where they are. */
export const startFrontends = async ({
  apiUrl,
  shellPort = 0,
  brand = 'Confetti',
  manifests = {},
  shellFiles = distOf('shell'),
}: FrontendsOptions): Promise<Frontends> => {
  const servers: Server[] = []
  const keep = (server: Server): string => {
    servers.push(server)
    return server.url
  }
  const startRemote = async (name: RemoteName): Promise<string> => keep(await serveRemote(distOf(name)))
  const urls = {
    public: await startRemote('public'),
    organiser: await startRemote('organiser'),
    admin: await startRemote('admin'),
  }
  const config = () => ({
    brand,
    apiUrl: apiUrl(),
    remotes: Object.fromEntries(
      remotes.map((name) => [name, manifests[name] ?? `${urls[name]}/mf-manifest.json`]),
    ),
  })
  const shell = express()
    .disable('x-powered-by')
    .use(compression())
    .get(pages, policy(shellFiles))
    .get(
      '/config.json',
      (_request, response) => void response.set('Cache-Control', 'no-cache').json(config()),
    )
    .use(files(shellFiles))
    .get(pages, (_request, response) => {
      response.set('Cache-Control', 'no-cache').sendFile(join(shellFiles, 'index.html'))
    })
  return {
    url: keep(await serve(shell, shellPort)),
    remotes: urls,
    stop: async () => {
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}
