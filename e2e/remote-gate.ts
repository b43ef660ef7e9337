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
const isChunk = (path: string): boolean => /\.js$/.test(path) && !path.includes('remote-entry')

export const startRemoteGate = async (): Promise<RemoteGate> => {
  const hanging = new Set<Socket>()
  const { url, close } = await serve((request, response) => {
    const path = request.url ?? '/'
    const answer = (status: number, type: string, body: string | Buffer): void => {
      response.writeHead(status, { 'Content-Type': type, 'Access-Control-Allow-Origin': '*' }).end(body)
    }
    if (gate.fault === 'down') return void request.socket.destroy()
    if (gate.fault === 'hangs' || (gate.fault === 'a chunk hangs' && isChunk(path)))
      return void hanging.add(request.socket)
    if (gate.fault === 'answers HTML') return answer(200, 'text/html', html)
    if (gate.fault === 'misses a chunk' && isChunk(path)) return answer(404, 'text/plain', 'Not found')
    fetch(gate.target + path).then(
      async (real) =>
        answer(
          real.status,
          real.headers.get('content-type') ?? 'text/plain',
          Buffer.from(await real.arrayBuffer()),
        ),
      () => request.socket.destroy(),
    )
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
