import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * How the way to a server is: open (`pass`); each connection cut (`refuse`); bytes taken and never passed on
 * (`hang`); or a trickle of `SLOW_BYTES_PER_SECOND` in each direction of each connection (`slow`).
 */
export type ProxyMode = 'pass' | 'refuse' | 'hang' | 'slow'

const SLOW_BYTES_PER_SECOND = 8 * 1_024
const SLOW_STEP_MS = 50

/** What is called with each chunk before it is passed on. While it is pending, its direction waits. */
export interface ProxyHooks {
  onRequest?: ((chunk: Buffer, connection: number) => Promise<void> | void) | undefined
  onReply?: ((chunk: Buffer, connection: number) => Promise<void> | void) | undefined
}

export interface TcpProxy {
  /** The target's address, with the proxy's host and port. */
  url: string
  /** May be changed at any time. */
  hooks: ProxyHooks
  /** From now on; connections that have lost bytes to another mode are cut. */
  mode: (mode: ProxyMode) => void
  /** Connections that are open. */
  connections: () => number
  close: () => Promise<void>
}

/** A way to the server at `targetUrl` that can fail as networks and servers do. */
export const startTcpProxy = async (targetUrl: string, hooks: ProxyHooks = {}): Promise<TcpProxy> => {
  const url = new URL(targetUrl)
  const target = { host: url.hostname, port: Number(url.port) }
  const open = new Set<{ cut: () => void; lossy: boolean }>()
  let mode: ProxyMode = 'pass'
  let accepted = 0

  const trickle = async (chunk: Buffer, to: Socket): Promise<void> => {
    const step = (SLOW_BYTES_PER_SECOND * SLOW_STEP_MS) / 1_000
    for (let at = 0; at < chunk.length; at += step) {
      to.write(chunk.subarray(at, at + step))
      if (mode === 'slow') await sleep(SLOW_STEP_MS)
    }
  }

  const server = createServer((client) => {
    if (mode === 'refuse') {
      client.on('error', () => undefined).resetAndDestroy()
      return
    }
    accepted += 1
    const number = accepted
    const upstream = connect(target)
    const connection = {
      lossy: false,
      cut: () => {
        client.destroy()
        upstream.destroy()
      },
    }
    open.add(connection)
    client.on('close', () => open.delete(connection))
    for (const socket of [client, upstream]) socket.on('error', connection.cut)

    const pump = async (from: Socket, to: Socket, hook: keyof ProxyHooks): Promise<void> => {
      for await (const chunk of from as AsyncIterable<Buffer>) {
        await hooks[hook]?.(chunk, number)
        if (mode === 'hang') connection.lossy = true
        else if (mode === 'slow') await trickle(chunk, to)
        else if (!to.write(chunk)) await once(to, 'drain')
      }
      to.end()
    }
    void pump(client, upstream, 'onRequest').catch(connection.cut)
    void pump(upstream, client, 'onReply').catch(connection.cut)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url: url.href,
    hooks,
    mode: (next) => {
      mode = next
      for (const { cut, lossy } of open) if (next === 'refuse' || (lossy && next !== 'hang')) cut()
    },
    connections: () => open.size,
    close: async () => {
      for (const { cut } of open) cut()
      server.close()
      await once(server, 'close')
    },
  }
}
