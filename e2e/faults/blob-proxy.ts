import { once } from 'node:events'
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { startTcpProxy, type ProxyMode } from '@confetti/test-kit'
import { getBlobEndpoint } from '../blob-endpoint.ts'

/** A request to blob storage, with the name of its operation in the REST API. */
export interface BlobCall {
  operation:
    | 'Put Blob'
    | 'Put Block'
    | 'Put Block List'
    | 'Get Block List'
    | 'Copy Blob'
    | 'Get Blob'
    | 'Delete Blob'
    | 'other'
  /** As in `container/folder/name`. */
  blob: string
  /** Length of the request body in bytes. */
  size: number
}

export interface BlobHooks {
  /**
   * Runs before the request is forwarded. `busy` answers it with 503 ServerBusy, `no-response` never answers; neither
   * forwards it.
   */
  before?: ((call: BlobCall) => Promise<BlobFault> | BlobFault) | undefined
  /** Runs when blob storage has responded. The caller receives the response when this resolves. */
  after?: ((call: BlobCall, status: number) => Promise<void> | void) | undefined
}
type BlobFault = 'busy' | 'no-response' | undefined

export interface BlobProxy {
  /** The connection string, with the proxy as its endpoint. */
  url: string
  /** The endpoint of blob storage itself, for BLOB_PUBLIC_URL: downloads bypass the proxy. */
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
  'GET blocklist': 'Get Block List',
  'GET ': 'Get Blob',
  'DELETE ': 'Delete Blob',
}

const parseCall = ({ method, url = '', headers }: IncomingMessage): BlobCall => {
  const { pathname, searchParams } = new URL(url, 'http://blob')
  const isContainer = searchParams.get('restype') === 'container' || pathname.split('/').length < 4
  const name = `${method} ${searchParams.get('comp') ?? ''}`
  const operation = headers['x-ms-copy-source'] ? 'Copy Blob' : operations[name]
  return {
    operation: isContainer ? 'other' : (operation ?? 'other'),
    // Azurite has the account as the first part of its paths.
    blob: decodeURIComponent(pathname.split('/').slice(2).join('/')),
    size: Number(headers['content-length'] ?? 0),
  }
}

const respondServerBusy = (request: IncomingMessage, response: ServerResponse): void => {
  request.resume()
  response.writeHead(503, { 'Content-Type': 'application/xml', 'x-ms-error-code': 'ServerBusy' })
  response.end(
    '<?xml version="1.0" encoding="utf-8"?><Error><Code>ServerBusy</Code><Message>The server is busy.</Message></Error>',
  )
}

/** Forwards a request unchanged: signatures cover the path, not the host. */
const forward = async (
  target: URL,
  request: IncomingMessage,
  response: ServerResponse,
  after: (status: number) => Promise<void> | void,
): Promise<void> => {
  const { method, url, headers } = request
  const upstreamRequest = send({ host: target.hostname, port: target.port, method, path: url, headers })
  const responded = once(upstreamRequest, 'response') as Promise<[IncomingMessage]>
  // Blob storage may reject the request before the whole body is sent; its response is what counts.
  void pipeline(request, upstreamRequest).catch(() => undefined)
  const [upstreamResponse] = await responded
  await after(upstreamResponse.statusCode ?? 0)
  response.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.headers)
  await pipeline(upstreamResponse, response)
}

/** Starts a proxy to blob storage that can fail single requests (`hooks`) or all connections (`mode`). */
export const startBlobProxy = async (connectionString: string, hooks: BlobHooks = {}): Promise<BlobProxy> => {
  const publicUrl = getBlobEndpoint(connectionString)
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const call = parseCall(request)
    const fault = await hooks.before?.(call)
    if (fault === 'busy') respondServerBusy(request, response)
    else if (fault === 'no-response') request.resume()
    else await forward(new URL(publicUrl), request, response, (status) => hooks.after?.(call, status))
  }
  const server = createServer({ requestTimeout: 0 }, (request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const serverUrl = new URL(publicUrl)
  serverUrl.port = String((server.address() as AddressInfo).port)
  const tcpProxy = await startTcpProxy(serverUrl.href)

  return {
    url: connectionString.replace(publicUrl, tcpProxy.url.replace(/\/$/, '')),
    publicUrl,
    hooks,
    mode: tcpProxy.setMode,
    close: async () => {
      await tcpProxy.close()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
