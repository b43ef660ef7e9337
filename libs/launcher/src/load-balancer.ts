import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface LoadBalancer {
  url: string
  close: () => Promise<void>
}

/**
 * Distributes connections over several replicas, as a Kubernetes Service does. Skips replicas that do not
 * accept.
 */
export const startLoadBalancer = async (targets: readonly string[]): Promise<LoadBalancer> => {
  const ports = targets.map((target) => Number(new URL(target).port))
  const sockets = new Set<Socket>()
  let nextIndex = 0

  const pickUpstream = async (): Promise<Socket> => {
    nextIndex += 1
    for (const [index] of ports.entries()) {
      const upstream = connect(ports.at((nextIndex + index) % ports.length) ?? 0, '127.0.0.1')
      try {
        await once(upstream, 'connect')
        return upstream
      } catch {
        upstream.destroy()
      }
    }
    throw new Error('no replica accepts connections')
  }

  const server = createServer({ pauseOnConnect: true }, (client) => {
    sockets.add(client)
    client.on('error', () => client.destroy()).on('close', () => sockets.delete(client))
    pickUpstream().then(
      (upstream) => {
        upstream.on('error', () => client.destroy()).on('close', () => client.destroy())
        client.on('close', () => upstream.destroy())
        upstream.pipe(client)
        client.pipe(upstream)
        client.resume()
      },
      () => client.destroy(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
