import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface Balancer {
  url: string
  close: () => Promise<void>
}

/** One address for several replicas, connection by connection, as a Kubernetes service does. */
export const startBalancer = async (targets: readonly string[]): Promise<Balancer> => {
  const ports = targets.map((target) => Number(new URL(target).port))
  const sockets = new Set<Socket>()
  let turn = 0

  const pickUpstream = async (): Promise<Socket> => {
    turn += 1
    for (const [index] of ports.entries()) {
      const upstream = connect(ports.at((turn + index) % ports.length) ?? 0, '127.0.0.1')
      try {
        await once(upstream, 'connect')
        return upstream
      } catch {
        upstream.destroy()
      }
    }
    throw new Error('no replica answers')
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
