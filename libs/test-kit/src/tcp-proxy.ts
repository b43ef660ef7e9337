import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * What the proxy does with connections: forwards them (`pass`), resets them (`refuse`), discards all bytes
 * (`hang`), or forwards `SLOW_BYTES_PER_SECOND` in each direction of each connection (`slow`).
 */
export type ProxyMode = 'pass' | 'refuse' | 'hang' | 'slow'

const SLOW_BYTES_PER_SECOND = 8 * 1_024
const SLOW_STEP_MS = 50

/** Called with each chunk before it is forwarded. A pending hook blocks its direction of the connection. */
export interface ProxyHooks {
  onRequest?: ((chunk: Buffer, connection: number) => Promise<void> | void) | undefined
  onReply?: ((chunk: Buffer, connection: number) => Promise<void> | void) | undefined
}

export interface TcpProxy {
  /** The target's URL with the proxy's host and port. */
  url: string
  /** May be changed at any time. */
  hooks: ProxyHooks
  /**
   * Changes the mode. Connections that have lost bytes in mode `hang` are closed when the mode is another.
   */
  setMode: (mode: ProxyMode) => void
  close: () => Promise<void>
}

/** Starts a TCP proxy to the server at `targetUrl` that can simulate network and server failures. */
export const startTcpProxy = async (targetUrl: string, hooks: ProxyHooks = {}): Promise<TcpProxy> => {
  const url = new URL(targetUrl)
  const target = { host: url.hostname, port: Number(url.port) }
  const connections = new Set<{ destroy: () => void; hasLostBytes: boolean }>()
  let mode: ProxyMode = 'pass'
  let accepted = 0

  const trickle = async (chunk: Buffer, to: Socket): Promise<void> => {
    const step = (SLOW_BYTES_PER_SECOND * SLOW_STEP_MS) / 1_000
    for (let offset = 0; offset < chunk.length; offset += step) {
      to.write(chunk.subarray(offset, offset + step))
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
      hasLostBytes: false,
      destroy: () => {
        client.destroy()
        upstream.destroy()
      },
    }
    connections.add(connection)
    client.on('close', () => connections.delete(connection))
    for (const socket of [client, upstream]) socket.on('error', connection.destroy)

    const pump = async (from: Socket, to: Socket, hook: keyof ProxyHooks): Promise<void> => {
      for await (const chunk of from as AsyncIterable<Buffer>) {
        await hooks[hook]?.(chunk, number)
        if (mode === 'hang') connection.hasLostBytes = true
        else if (mode === 'slow') await trickle(chunk, to)
        else if (!to.write(chunk)) await once(to, 'drain')
      }
      to.end()
    }
    void pump(client, upstream, 'onRequest').catch(connection.destroy)
    void pump(upstream, client, 'onReply').catch(connection.destroy)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url: url.href,
    hooks,
    setMode: (next) => {
      mode = next
      for (const { destroy, hasLostBytes } of connections)
        if (next === 'refuse' || (hasLostBytes && next !== 'hang')) destroy()
    },
    close: async () => {
      for (const { destroy } of connections) destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
