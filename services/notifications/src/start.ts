import { serviceRoutes } from '@confetti/contracts'
import {
  createService,
  createServiceApp,
  openDatabase,
  type Host,
  type RunningService,
} from '@confetti/service-kit'
import { createCapabilities } from './capabilities.ts'
import type { Config } from './config.ts'
import { notificationRoutes } from './routes.ts'
import { createSmtpHandOver } from './smtp/smtp-hand-over.ts'

/** Starts the service with its connections, and resolves when it listens. */
export const startNotifications = async (config: Config, host: Host): Promise<RunningService> => {
  const service = await createService('notifications', config, host)
  const database = await openDatabase(service)
  const smtpUrl = config.MAIL === 'off' ? undefined : config.SMTP_URL
  if (smtpUrl === undefined)
    service.logger.warn(`mail is off: ${config.MAIL === 'off' ? 'MAIL is off' : 'SMTP_URL is not set'}`)
  const { deps, digests } = await createCapabilities(service, {
    database,
    handOver: smtpUrl === undefined ? undefined : createSmtpHandOver(smtpUrl, config),
  })
  const app = createServiceApp(service, {
    routes: serviceRoutes.notifications,
    handlers: notificationRoutes(deps, digests),
    // None of its routes reads access tokens.
    verifyToken: () => Promise.resolve({ state: 'absent' }),
    maxJsonBytes: config.MAX_JSON_BYTES,
  })
  return service.listen(app)
}
