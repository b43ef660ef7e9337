import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  createServer,
  request,
  type IncomingMessage,
  type RequestListener,
  type RequestOptions,
} from 'node:http'
import {
  connect,
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net'
import { startService, type ServiceProcess } from '@confetti/launcher'
import { testBackends } from '@confetti/test-kit'

const portOf = (server: Server): number => (server.address() as AddressInfo).port

const listen = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return portOf(server)
}

export interface Peer {
  url: string
  /** What it does with each call; a test may change it. */
  answer: RequestListener
  /** 'METHOD target' of each call that reached it. */
  calls: string[]
  sockets: Set<Socket>
  close: () => Promise<void>
}

const echo: RequestListener = (request, response) => {
  let bytes = 0
  request.on('data', (chunk: Buffer) => (bytes += chunk.length))
  request.on('end', () => {
    response.setHeader('Content-Type', 'application/json')
    response.end(
      JSON.stringify({ method: request.method, url: request.url, headers: request.headers, bytes }),
    )
  })
}

/** A real HTTP server at the place of a service; it answers what it was sent unless a test says otherwise. */
export const startPeer = async (answer: RequestListener = echo): Promise<Peer> => {
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    peer.calls.push(`${request.method} ${request.url}`)
    peer.answer(request, response)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const port = await listen(server)
  const peer: Peer = {
    url: `http://127.0.0.1:${port}`,
    answer,
    calls: [],
    sockets,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return peer
}

export interface Relay {
  url: string
  /** Connections stay, nothing moves. */
  freeze: () => void
  thaw: () => void
  close: () => void
}

/** Stands between the gateway and a server, so that a test can freeze the way. */
export const startRelay = async (target: string): Promise<Relay> => {
  const { hostname, port } = new URL(target)
  const pairs = new Set<Socket>()
  let frozen = false
  const server = createTcpServer((client) => {
    const upstream = connect(Number(port), hostname)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      pairs.add(from)
      from.on('data', (chunk) => to.write(chunk))
      from.on('error', () => from.destroy())
      from.on('close', () => {
        pairs.delete(from)
        to.destroy()
      })
      if (frozen) from.pause()
    }
  })
  const url = new URL(target)
  url.port = String(await listen(server))
  return {
    url: url.href,
    freeze: () => {
      frozen = true
      for (const socket of pairs) socket.pause()
    },
    thaw: () => {
      frozen = false
      for (const socket of pairs) socket.resume()
    },
    close: () => {
      server.close()
      for (const socket of pairs) socket.destroy()
    },
  }
}

export const SHELL = 'http://shell.confetti.test'

/** The gateway as a process of its own, all of its services at `peer`; its counters are no other test's. */
export const startGateway = (
  peerUrl: string,
  environment: Readonly<Record<string, string>> = {},
  onLine?: (line: string) => void,
): Promise<ServiceProcess> =>
  startService(
    'gateway',
    {
      HOST: '127.0.0.1',
      SHUTDOWN_DELAY_MS: '0',
      REDIS_URL: redisUrl(),
      SHELL_ORIGINS: `${SHELL}, http://localhost:3000/`,
      GUEST_TOKEN_SECRET: 'a secret that only this test knows',
      AUTH_URL: peerUrl,
      EVENTS_URL: peerUrl,
      UPLOADS_URL: peerUrl,
      CONTACT_URL: peerUrl,
      ...environment,
    },
    (line) => {
      onLine?.(line)
      if (process.env.CONFETTI_TEST_LOG) console.error(line)
    },
  )

/** The tests' Redis, under a name of its own. */
export const redisUrl = (base: string = testBackends().redis): string =>
  `${base.replace(/\/$/, '')}/0?keyPrefix=t${randomBytes(6).toString('hex')}:`

export interface Answer {
  status: number
  headers: IncomingMessage['headers']
  rawHeaders: string[]
  text: string
  // The tests say what they expect in it.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  json: any
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads an answer to its end; rejects when it is cut off. */
export const readAnswer = async (response: IncomingMessage): Promise<Answer> => {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    rawHeaders: response.rawHeaders,
    text,
    json: parse(text),
  }
}

/** Makes a call with the path exactly as given, which fetch would tidy up first. */
export const send = async (
  base: string,
  line: string,
  { body, ...options }: RequestOptions & { body?: string | Buffer } = {},
): Promise<Answer> => {
  const [method, path] = line.split(' ')
  const { hostname, port } = new URL(base)
  const outgoing = request({ hostname, port, method, path, agent: false, ...options })
  outgoing.end(body)
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  return readAnswer(response)
}

/** Sends bytes as they are and gives all that comes back until the connection closes. */
export const sendRaw = async (base: string, text: string): Promise<string> => {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.on('data', (chunk) => (received += chunk.toString('latin1')))
  socket.on('error', () => undefined)
  socket.write(text, 'latin1')
  await once(socket, 'close')
  return received
}
