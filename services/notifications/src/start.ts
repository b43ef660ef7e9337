import { serviceRoutes } from '@confetti/contracts'
import { startConsumers } from '@confetti/messaging'
import {
  createService,
  createServiceApp,
  openDatabase,
  type Host,
  type RunningService,
} from '@confetti/service-kit'
import type { Config } from './config.ts'
import { createConsumers } from './consumers.ts'
import type { Deps } from './deps.ts'
import { createSendDigests } from './digests/digests.ts'
import { createUnsubscribing } from './digests/unsubscribing.ts'
import { createSweep } from './erasure.ts'
import { startDelivery } from './mails/delivery.ts'
import { createEnqueueMail } from './mails/mail.ts'
import { createNotificationMetrics } from './metrics.ts'
import { createDeletionNotices } from './notices/deletion-notices.ts'
import { createRecipients } from './recipients/recipients.ts'
import { notificationRoutes } from './routes.ts'
import { createSmtpHandOver } from './smtp/smtp-hand-over.ts'
import { openStores } from './storage/open-stores.ts'

const MEASURE_INTERVAL_MS = 10_000

/** Starts the service with its connections, and resolves when it listens. */
export const startNotifications = async (config: Config, host: Host): Promise<RunningService> => {
  const service = await createService('notifications', config, host)
  const { clock, logger, lifecycle, runEvery } = service
  const connection = await openDatabase(service)
  const stores = await openStores(connection, clock)

  const smtpUrl = config.MAIL === 'off' ? undefined : config.SMTP_URL
  const isMailOn = smtpUrl !== undefined
  if (!isMailOn) logger.warn(`mail is off: ${config.MAIL === 'off' ? 'MAIL is off' : 'SMTP_URL is not set'}`)
  const deps: Deps = {
    ...service,
    ...stores,
    isMailOn,
    // The delivery is started below, as it needs the stores.
    enqueueMail: createEnqueueMail({ ...stores, isMailOn }, () => delivery?.wake()),
    site: { brand: config.BRAND, shellUrl: config.SHELL_URL },
    metrics: createNotificationMetrics(service),
  }
  const delivery =
    smtpUrl === undefined ? undefined : startDelivery(deps, createSmtpHandOver(smtpUrl, config))
  const recipients = createRecipients(deps)
  const unsubscribing = createUnsubscribing(deps)

  // Without mail, what is waiting is only swept.
  runEvery(config.SWEEP_INTERVAL_MS, 'sweep', createSweep(deps))
  if (delivery) {
    lifecycle.onStop('delivery', delivery.stop)
    const { CHECK_INTERVAL_MS: checkIntervalMs } = config
    runEvery(checkIntervalMs, 'digests', createSendDigests(deps, { recipients, unsubscribing }))
    runEvery(checkIntervalMs, 'deletion notices', createDeletionNotices(deps, recipients))
    runEvery(checkIntervalMs, 'abandoned mails', delivery.markAbandoned)
    runEvery(MEASURE_INTERVAL_MS, 'measuring', async () => {
      const { waiting, oldest } = await deps.mails.measure()
      const oldestDigest = await deps.digests.oldestDue()
      deps.metrics.measured({ waiting, oldestMail: oldest, oldestDigest })
    })
  }
  startConsumers(service, { consumers: createConsumers(deps, recipients) })

  const app = createServiceApp(service, {
    routes: serviceRoutes.notifications,
    handlers: notificationRoutes(deps, unsubscribing),
    // None of its routes reads access tokens.
    verifyToken: () => Promise.resolve({ state: 'absent' }),
    maxJsonBytes: config.MAX_JSON_BYTES,
  })
  return service.listen(app)
}
