import type { Server } from 'node:http'
import { Counter, Gauge } from 'prom-client'
import type { Metrics } from '../metrics.ts'

// A connection of a client may need another one to a service; the others are for backends and files.
const SHARE_OF_OPEN_FILES = 0.4

/** How many files and connections this process may have open; undefined if there is no limit. */
const getOpenFilesLimit = (): number | undefined => {
  Object.assign(process.report, { excludeNetwork: true })
  // There are no user limits on Windows.
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files: { soft: unknown } } }
  const soft = userLimits?.open_files.soft
  return typeof soft === 'number' ? soft : undefined
}

/**
 * Limits the connections of a server to `maxConnections`, and below what the process may have open: without descriptors it
 * could reach no backend. A connection beyond the limit is closed at once.
 */
export const limitConnections = (server: Server, maxConnections: number, registry: Metrics): void => {
  const limit = Math.min(maxConnections, Math.floor((getOpenFilesLimit() ?? Infinity) * SHARE_OF_OPEN_FILES))
  const dropped = new Counter({
    name: 'http_connections_dropped_total',
    help: 'Connections that were closed at once, because there were too many',
    registers: [registry],
  })
  let connections = 0
  server.on('connection', (socket) => {
    connections += 1
    socket.once('close', () => {
      connections -= 1
    })
  })
  server.maxConnections = limit
  server.on('drop', () => dropped.inc())
  new Gauge({
    name: 'http_connections',
    help: 'Open connections of clients',
    registers: [registry],
    collect() {
      this.set(connections)
    },
  })
  new Gauge({
    name: 'http_connections_limit',
    help: 'The most open connections of clients',
    registers: [registry],
  }).set(limit)
}
