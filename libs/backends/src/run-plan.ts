import type { Backend, BackendName } from './backend.ts'
import type { Context, Plan } from './plan.ts'
import { makeServer, PortLost, type Server } from './server.ts'

const attempts = 3

const startInOrder = async (servers: Server[]): Promise<void> => {
  for (const server of servers) await server.start()
}

const stopInReverse = async (servers: Server[]): Promise<void> => {
  for (const server of servers.toReversed()) await server.stop()
}

/** Runs a plan's servers, on other ports if they lose theirs at first, and none of them if one fails. */
export const runPlan = async (name: BackendName, plan: Plan, context: Context): Promise<Backend> => {
  for (let attempt = 1; ; attempt++) {
    const { url, servers: specs } = await plan.layout()
    const servers = specs.map((spec) => makeServer(spec, context))
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
      if (!(error instanceof PortLost) || attempt === attempts) throw error
    }
  }
}
