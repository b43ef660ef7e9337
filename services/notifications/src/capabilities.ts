import { startConsumers, type BrokerOptions } from '@confetti/messaging'
import { keepEventCopies, keepUserCopies, type Service } from '@confetti/service-kit'
import type { Connection } from 'mongoose'
import type { Config } from './config.ts'
import { createConsumers } from './consumers.ts'
import type { Deps } from './deps.ts'
import { createSendDigests } from './digests/digests.ts'
import { createUnsubscribing } from './digests/unsubscribing.ts'
import { createSweep } from './erasure.ts'
import { startDelivery } from './mails/delivery.ts'
import { createEnqueueMail, type HandOver } from './mails/mail.ts'
import { createNotificationMetrics } from './metrics.ts'
import { createDeletionNotices } from './notices/deletion-notices.ts'
import { createRecipients } from './recipients/recipients.ts'
import { openStores } from './storage/open-stores.ts'

const MEASURE_INTERVAL_MS = 10_000

/** What the service is connected to. */
export interface Connections {
  database: Connection
  /** Hands a mail over to the mail server. Absent: mail is off. */
  handOver: HandOver | undefined
  /** How to reach the broker, if not by amqplib. */
  broker?: BrokerOptions
}

/** Creates what the service can do, and starts its consumers, its delivery and its sweeps. */
export const createCapabilities = async (
  service: Service<Config>,
  { database, handOver, broker }: Connections,
) => {
  const { config, clock, lifecycle, runEvery } = service
  const stores = await openStores(database, clock)
  const isMailOn = handOver !== undefined
  const deps: Deps = {
    ...service,
    ...stores,
    isMailOn,
    // The delivery is started below, as it needs the stores.
    enqueueMail: createEnqueueMail({ ...stores, isMailOn }, () => delivery?.wake()),
    site: { brand: config.BRAND, shellUrl: config.SHELL_URL },
    metrics: createNotificationMetrics(service),
  }
  const delivery = handOver && startDelivery(deps, handOver)
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
  keepEventCopies(service, database, deps.events.save)
  keepUserCopies(service, database, ({ revision, ...user }) => recipients.copyUser(user, revision))
  const { publish } = startConsumers(service, {
    publishes: ['event.erased.v1', 'user.erased.v1'],
    // The connection is made below, as it starts these.
    consumers: createConsumers(deps, { recipients, publish: (message) => publish(message) }),
    broker,
  })
  return { deps, unsubscribing }
}
