import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serviceNames, type ServiceName, type System } from '@confetti/launcher'

/** What `npm run dev` needs to replace the system's own process of a service. */
export interface HandedOverService {
  name: ServiceName
  environment: Readonly<Record<string, string>>
}

export interface ServiceHandover {
  /** Contains a random token, because the environment of a service contains secrets. */
  url: string
  close: () => Promise<void>
}

/**
 * Hands services of a running system over to development processes. `POST {url}/{service}` stops the service,
 * sends its environment as one line of JSON, and keeps the response open. When the connection closes, it
 * starts the service again.
 */
export const startServiceHandover = async (
  system: System,
  report: (line: string) => void,
): Promise<ServiceHandover> => {
  const token = randomBytes(16).toString('hex')
  const handedOver = new Set<ServiceName>()
  let isClosing = false

  const handOver = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const name = serviceNames.find((each) => request.url === `/${token}/${each}`)
    const [process] = name ? system.replicas(name) : []
    if (request.method !== 'POST' || !name || !process) {
      response.writeHead(404).end()
      return
    }
    if (handedOver.has(name)) {
      response.writeHead(409).end()
      return
    }
    handedOver.add(name)
    const closed = once(response, 'close')
    await process.stop()
    report(`npm run dev has taken over ${name}`)
    const environment = {
      ...system.environment(name),
      PORT: new URL(process.url).port,
      METRICS_PORT: new URL(process.metricsUrl).port,
    }
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.write(`${JSON.stringify({ name, environment } satisfies HandedOverService)}\n`)
    await closed
    handedOver.delete(name)
    if (isClosing) return
    await process.restart().then(
      () => report(`${name} was started again`),
      (error: unknown) => report(`${name} could not be started again: ${String(error)}`),
    )
  }

  const server = createServer((request, response) => void handOver(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/${token}`,
    close: async () => {
      isClosing = true
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
