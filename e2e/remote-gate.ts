import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { serve } from '@confetti/launcher'

export type Fault = 'none' | 'down' | 'hangs' | 'answers HTML' | 'misses a chunk' | 'a chunk hangs'

/** Stands before a remote's server and can make it fail as real ones do. */
export interface RemoteGate {
  manifest: string
  /** Where the remote really is. */
  target: string
  fault: Fault
  /** Lifts the fault, as restarting the server does: what hung is cut off. */
  repair: () => void
  close: () => Promise<void>
}

const html = '<!doctype html><title>Sign in to the Wi-Fi</title><p>Welcome to the venue.</p>'
const isChunk = (path: string): boolean => path.endsWith('.js') && !path.includes('remote-entry')

const answer = (response: ServerResponse, status: number, type: string, body: string | Buffer): void => {
  response.writeHead(status, { 'Content-Type': type, 'Access-Control-Allow-Origin': '*' }).end(body)
}

export const startRemoteGate = async (): Promise<RemoteGate> => {
  const hanging = new Set<Socket>()
  const pass = async (path: string, response: ServerResponse): Promise<void> => {
    const real = await fetch(gate.target + path)
    const type = real.headers.get('content-type') ?? 'text/plain'
    answer(response, real.status, type, Buffer.from(await real.arrayBuffer()))
  }
  const { url, close } = await serve((request, response) => {
    const { url: path = '/', socket } = request
    const hangs = gate.fault === 'hangs' || (gate.fault === 'a chunk hangs' && isChunk(path))
    if (hangs) hanging.add(socket)
    else if (gate.fault === 'down') socket.destroy()
    else if (gate.fault === 'answers HTML') answer(response, 200, 'text/html', html)
    else if (gate.fault === 'misses a chunk' && isChunk(path))
      answer(response, 404, 'text/plain', 'Not found')
    else pass(path, response).catch(() => socket.destroy())
  })
  const gate: RemoteGate = {
    manifest: `${url}/mf-manifest.json`,
    target: '',
    fault: 'none',
    repair: () => {
      gate.fault = 'none'
      for (const socket of hanging) socket.destroy()
      hanging.clear()
    },
    close,
  }
  return gate
}
