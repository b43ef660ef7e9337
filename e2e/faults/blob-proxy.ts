import { once } from 'node:events'
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { startTcpProxy, type ProxyMode } from '@confetti/test-kit'

/** A call to blob storage, by the name that its REST interface has for it. */
export interface BlobCall {
  operation: 'Put Blob' | 'Put Block' | 'Put Block List' | 'Get Blob' | 'Delete Blob' | 'other'
  /** As in `container/folder/name`. */
  blob: string
  /** What it brings, in bytes. */
  size: number
}

export interface BlobHooks {
  /** Before the call goes on to blob storage. `busy`: it is answered 503 ServerBusy; `silence`: never. */
  before?: ((call: BlobCall) => Promise<BlobFault> | BlobFault) | undefined
  /** Its answer has come; the caller has it when this resolves. */
  after?: ((call: BlobCall, status: number) => Promise<void> | void) | undefined
}
type BlobFault = 'busy' | 'silence' | undefined

export interface BlobProxy {
  /** The connection string, through the proxy. */
  url: string
  /** Blob storage itself, for BLOB_PUBLIC_URL: what is downloaded does not come this way. */
  publicUrl: string
  /** May be changed at any time. */
  hooks: BlobHooks
  mode: (mode: ProxyMode) => void
  close: () => Promise<void>
}

const operations: Record<string, BlobCall['operation']> = {
  'PUT ': 'Put Blob',
  'PUT block': 'Put Block',
  'PUT blocklist': 'Put Block List',
  'GET ': 'Get Blob',
  'DELETE ': 'Delete Blob',
}

const callOf = ({ method, url = '', headers }: IncomingMessage): BlobCall => {
  const { pathname, searchParams } = new URL(url, 'http://blob')
  const isContainer = searchParams.get('restype') === 'container' || pathname.split('/').length < 4
  const name = `${method} ${searchParams.get('comp') ?? ''}`
  return {
    operation: isContainer ? 'other' : (operations[name] ?? 'other'),
    // Azurite has the account as the first part of its paths.
    blob: decodeURIComponent(pathname.split('/').slice(2).join('/')),
    size: Number(headers['content-length'] ?? 0),
  }
}

const sayBusy = (request: IncomingMessage, response: ServerResponse): void => {
  request.resume()
  response.writeHead(503, { 'Content-Type': 'application/xml', 'x-ms-error-code': 'ServerBusy' })
  response.end(
    '<?xml version="1.0" encoding="utf-8"?><Error><Code>ServerBusy</Code><Message>The server is busy.</Message></Error>',
  )
}

/** Passes a call on as it came: signatures sign the path and not the host. */
const passOn = async (
  target: URL,
  request: IncomingMessage,
  response: ServerResponse,
  after: (status: number) => Promise<void> | void,
): Promise<void> => {
  const { method, url, headers } = request
  const onward = send({ host: target.hostname, port: target.port, method, path: url, headers })
  const answered = once(onward, 'response') as Promise<[IncomingMessage]>
  // A refusal may come before the whole body is through; the answer is what counts.
  void pipeline(request, onward).catch(() => undefined)
  const [answer] = await answered
  await after(answer.statusCode ?? 0)
  response.writeHead(answer.statusCode ?? 502, answer.headers)
  await pipeline(answer, response)
}

/** A way to blob storage that can fail, call by call or as a whole. */
export const startBlobProxy = async (connectionString: string, hooks: BlobHooks = {}): Promise<BlobProxy> => {
  const publicUrl = /BlobEndpoint=([^;]+)/.exec(connectionString)?.[1] ?? ''
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const call = callOf(request)
    const fault = await hooks.before?.(call)
    if (fault === 'busy') sayBusy(request, response)
    else if (fault === 'silence') request.resume()
    else await passOn(new URL(publicUrl), request, response, (status) => hooks.after?.(call, status))
  }
  const server = createServer({ requestTimeout: 0 }, (request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = new URL(publicUrl)
  at.port = String((server.address() as AddressInfo).port)
  const way = await startTcpProxy(at.href)

  return {
    url: connectionString.replace(publicUrl, way.url.replace(/\/$/, '')),
    publicUrl,
    hooks,
    mode: way.mode,
    close: async () => {
      await way.close()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
