import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import compression from 'compression'
import express, { type RequestHandler } from 'express'
import sirv from 'sirv'
import { passOnLinks } from './link-previews.ts'

/** The other origins that a page of the shell may load from, each a space-separated list. */
interface PolicyOrigins {
  /** Origins of the remotes' files. */
  scripts: string
  /** Origins of the API, the remotes' manifests and blob storage. */
  connections: string
  /** Origins of photos and videos (blob storage). */
  media: string
}

const inlineScriptHashes = (page: string): string[] =>
  [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )

/**
 * Returns the Content-Security-Policy of the shell's pages. `page` is the content of the built index.html,
 * whose inline scripts are allowed by their hashes. All inline styles are allowed, because dialogs add some
 * to block scrolling.
 */
export const contentSecurityPolicy = (page: string, { scripts, connections, media }: PolicyOrigins): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${inlineScriptHashes(page).join(' ')} ${scripts}`,
    `style-src 'self' 'unsafe-inline' ${scripts}`,
    "font-src 'self'",
    // The service worker, and the workers that canvas-confetti and uploads create from a blob URL.
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    // Previews of selected files are blob URLs, and QR codes are data URLs.
    `img-src 'self' data: blob: ${media}`,
    `media-src 'self' blob: ${media}`,
    `connect-src 'self' ${connections}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const frontendFolder = (name: FrontendName): string =>
  fileURLToPath(new URL(`../../../frontends/${name}/`, import.meta.url))

const distFolder = (name: FrontendName): string => join(frontendFolder(name), 'dist')

const remotes = ['public', 'organiser', 'admin'] as const
type RemoteName = (typeof remotes)[number]
export type FrontendName = 'shell' | RemoteName

/** Builds a frontend with its own Rspack configuration. Rejects with the output of the build if it fails. */
const build = async (name: FrontendName): Promise<void> => {
  const rspack = fileURLToPath(new URL('../../../node_modules/@rspack/cli/bin/rspack.js', import.meta.url))
  await promisify(execFile)(process.execPath, [rspack, 'build'], { cwd: frontendFolder(name) }).catch(
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

/** Starts an HTTP server on 127.0.0.1. With port 0 it uses a free port. */
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

// Files whose names contain a content hash never change; all others can.
const isHashed = (path: string): boolean => /\.[0-9a-f]{10}\.\w+$/.test(path)

/** Serves the built files of a frontend. Browsers cache files with a hash in their names permanently. */
const staticFiles = (dist: string) =>
  sirv(dist, {
    // Reads the disk for each request, because a remote may be rebuilt meanwhile.
    dev: true,
    etag: true,
    setHeaders: (response, path) => {
      response.setHeader('Cache-Control', isHashed(path) ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })

/** Serves the built files of a remote in the folder `dist`, for a shell at another origin. */
export const serveRemote = (dist: string): Promise<Server> =>
  serve(
    express()
      .disable('x-powered-by')
      .use((_request, response, next) => {
        response.setHeader('Access-Control-Allow-Origin', '*')
        next()
      })
      .use(compression())
      .use(staticFiles(dist)),
  )

export interface Frontends {
  /** The shell's URL. */
  url: string
  /** The URL of each remote. */
  remotes: Readonly<Record<RemoteName, string>>
  stop: () => Promise<void>
}

export interface FrontendsOptions {
  /** Returns the API's URL. Called for each request of /config.json, so that the API can start later. */
  apiUrl: () => string
  shellPort?: number
  brand?: string
  /** Whether /config.json allows the service worker. Called for each request, as `apiUrl`. */
  serviceWorker?: () => boolean
  /** Manifest URLs of remotes that are served elsewhere. */
  manifests?: Partial<Record<RemoteName, string>>
  /** The folder with the built files of another shell. */
  shellFiles?: string | undefined
}

// The shell's routes: every path that is not a file name.
const PAGE_ROUTES = /^[^.]*$/

const LOCAL_ORIGINS = 'http://localhost:* http://127.0.0.1:*'

/** Sends the same Content-Security-Policy as production, so that development and tests show violations. */
const setContentSecurityPolicy =
  (shellFiles: string): RequestHandler =>
  async (_request, response, next) => {
    const page = await readFile(join(shellFiles, 'index.html'), 'utf8')
    const origins = { scripts: LOCAL_ORIGINS, connections: LOCAL_ORIGINS, media: LOCAL_ORIGINS }
    response.setHeader('Content-Security-Policy', contentSecurityPolicy(page, origins))
    next()
  }

/**
 * Serves the four built frontends, each at its own URL, and the shell's /config.json with the URLs of the
 * remotes.
 */
export const startFrontends = async ({
  apiUrl,
  shellPort = 0,
  brand = 'Confetti',
  serviceWorker = () => true,
  manifests = {},
  shellFiles = distFolder('shell'),
}: FrontendsOptions): Promise<Frontends> => {
  const servers: Server[] = []
  const register = (server: Server): string => {
    servers.push(server)
    return server.url
  }
  const startRemote = async (name: RemoteName): Promise<string> =>
    register(await serveRemote(distFolder(name)))
  const urls = {
    public: await startRemote('public'),
    organiser: await startRemote('organiser'),
    admin: await startRemote('admin'),
  }
  const config = () => ({
    brand,
    apiUrl: apiUrl(),
    serviceWorker: serviceWorker(),
    remotes: Object.fromEntries(
      remotes.map((name) => [name, manifests[name] ?? `${urls[name]}/mf-manifest.json`]),
    ),
  })
  const shell = express()
    .disable('x-powered-by')
    .use(compression())
    .use(setContentSecurityPolicy(shellFiles))
    .get(
      '/config.json',
      (_request, response) => void response.set('Cache-Control', 'no-cache').json(config()),
    )
    // The service worker receives shared files. Without one, the guest chooses them on the page.
    .post('/share', (_request, response) => response.redirect(303, '/upload'))
    .use(passOnLinks(apiUrl))
    .use(staticFiles(shellFiles))
    .get(PAGE_ROUTES, (_request, response) => {
      response.set('Cache-Control', 'no-cache').sendFile(join(shellFiles, 'index.html'))
    })
  return {
    url: register(await serve(shell, shellPort)),
    remotes: urls,
    stop: async () => {
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}
