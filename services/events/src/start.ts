import {
  createJwksTokenVerifier,
  createService,
  createServiceApp,
  openDatabase,
  type Host,
  type RunningService,
} from '@confetti/service-kit'
import { createCapabilities } from './capabilities.ts'
import type { Config } from './config.ts'
import { eventContracts, eventRoutes } from './routes.ts'

/** Starts the service with its connections, and resolves when it listens. */
export const startEvents = async (config: Config, host: Host): Promise<RunningService> => {
  const service = await createService('events', config, host)
  const capabilities = await createCapabilities(service, { database: await openDatabase(service) })
  const { viewing } = capabilities
  const app = createServiceApp(service, {
    routes: eventContracts(config),
    handlers: eventRoutes(capabilities),
    events: {
      get: viewing.getStored,
      isOrganiser: ({ organisers }, userId) => organisers.some(({ _id }) => _id === userId),
    },
    verifyToken: createJwksTokenVerifier(config, service.clock),
    maxJsonBytes: config.MAX_JSON_BYTES,
  })
  return service.listen(app)
}
