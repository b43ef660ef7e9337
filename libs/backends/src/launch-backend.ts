import type { Backend, BackendName, LaunchPlan, ProviderContext } from './backend.ts'
import { createServer, PortInUseError, type Server } from './server.ts'

const maxAttempts = 3

const startInOrder = async (servers: Server[]): Promise<void> => {
  for (const server of servers) await server.start()
}

const stopInReverse = async (servers: Server[]): Promise<void> => {
  for (const server of servers.toReversed()) await server.stop()
}

/**
 * Starts the servers of a plan. Tries up to three times, with new ports, while a port is in use. If a server
 * fails, stops the others and throws.
 */
export const launchBackend = async (
  name: BackendName,
  plan: LaunchPlan,
  context: ProviderContext,
): Promise<Backend> => {
  for (let attempt = 1; ; attempt++) {
    const { url, servers: specs } = await plan.createSpec()
    const servers = specs.map((spec) => createServer(spec, context))
    try {
      await startInOrder(servers)
      return {
        name,
        url,
        origin: plan.origin,
        start: () => startInOrder(servers),
        stop: () => stopInReverse(servers),
        signal: (signal) => servers.at(-1)?.signal(signal),
      }
    } catch (error) {
      await stopInReverse(servers)
      if (!(error instanceof PortInUseError) || attempt === maxAttempts) throw error
    }
  }
}
