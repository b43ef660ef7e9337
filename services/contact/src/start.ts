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
import { contactContracts, contactRoutes } from './contacts/routes.ts'

/** Starts the service with its connections, and resolves when it listens. */
export const startContact = async (config: Config, host: Host): Promise<RunningService> => {
  const service = await createService('contact', config, host)
  const { contacts } = await createCapabilities(service, { database: await openDatabase(service) })
  const app = createServiceApp(service, {
    routes: contactContracts(config),
    handlers: contactRoutes(contacts),
    verifyToken: createJwksTokenVerifier(config, service.clock),
    maxJsonBytes: config.MAX_JSON_BYTES,
  })
  return service.listen(app)
}
