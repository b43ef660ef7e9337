import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { serve } from '@confetti/launcher'

export type RemoteFault =
  | 'none'
  | 'is down'
  | 'hangs'
  | 'returns HTML'
  | 'lacks a chunk'
  | 'hangs on a chunk'
  | 'lacks a chunk and hangs on its entry'

/** A reverse proxy in front of a remote's server that simulates network and server failures. */
export interface RemoteProxy {
  manifestUrl: string
  /** The base URL of the remote's server. */
  targetUrl: string
  fault: RemoteFault
  /** Ends the fault and closes the connections that hang, as a restart of the server does. */
  clearFault: () => void
  close: () => Promise<void>
}

const captivePortalPage = '<!doctype html><title>Sign in to the Wi-Fi</title><p>Welcome to the venue.</p>'
const isEntry = (path: string): boolean => path.includes('remote-entry')
const isChunk = (path: string): boolean => path.endsWith('.js') && !isEntry(path)

const respond = (response: ServerResponse, status: number, type: string, body: string | Buffer): void => {
  response.writeHead(status, { 'Content-Type': type, 'Access-Control-Allow-Origin': '*' }).end(body)
}

export const startRemoteProxy = async (): Promise<RemoteProxy> => {
  const hangingSockets = new Set<Socket>()
  const forward = async (path: string, response: ServerResponse): Promise<void> => {
    const upstream = await fetch(proxy.targetUrl + path)
    const type = upstream.headers.get('content-type') ?? 'text/plain'
    respond(response, upstream.status, type, Buffer.from(await upstream.arrayBuffer()))
  }
  const { url, close } = await serve((request, response) => {
    const { url: path = '/', socket } = request
    const hangs =
      proxy.fault === 'hangs' ||
      (proxy.fault === 'hangs on a chunk' && isChunk(path)) ||
      (proxy.fault === 'lacks a chunk and hangs on its entry' && isEntry(path))
    if (hangs) hangingSockets.add(socket)
    else if (proxy.fault === 'is down') socket.destroy()
    else if (proxy.fault === 'returns HTML') respond(response, 200, 'text/html', captivePortalPage)
    else if (proxy.fault.startsWith('lacks a chunk') && isChunk(path))
      respond(response, 404, 'text/plain', 'Not found')
    else forward(path, response).catch(() => socket.destroy())
  })
  const proxy: RemoteProxy = {
    manifestUrl: `${url}/mf-manifest.json`,
    targetUrl: '',
    fault: 'none',
    clearFault: () => {
      proxy.fault = 'none'
      for (const socket of hangingSockets) socket.destroy()
      hangingSockets.clear()
    },
    close,
  }
  return proxy
}
