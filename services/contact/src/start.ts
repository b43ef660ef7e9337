import { defineConsumer, startMessaging } from '@confetti/messaging'
import {
  connectMongo,
  createErasedIds,
  createHealth,
  createJwksTokenVerifier,
  createService,
  createServiceApp,
  pingMongo,
  runPeriodically,
  type Host,
  type RunningService,
} from '@confetti/service-kit'
import type { Config } from './config.ts'
import { createContacts } from './contacts/contacts.ts'
import { contactContracts, contactRoutes } from './contacts/routes.ts'
import { createContactModel, createContactStore } from './storage/contact-store.ts'
import { createMessageQuotaModel, createMessageQuotaStore } from './storage/message-quota-store.ts'

const SWEEP_INTERVAL_MS = 3_600_000

/** Starts the service with its connections, and resolves when it listens. */
export const startContact = async (config: Config, host: Host): Promise<RunningService> => {
  const { logger, metrics, lifecycle, listen } = await createService('contact', config, host)
  const { clock } = host

  const connection = await connectMongo(config.MONGO_URL, logger)
  lifecycle.onClose('mongo', () => connection.close())
  const model = createContactModel(connection)
  await model.createIndexes()

  const erasedIds = createErasedIds(connection, clock)
  const contacts = createContacts({
    // The relay is created below, as its consumer needs this store.
    contacts: createContactStore({ model, wakeRelay: () => relay.wakeRelay() }),
    quotas: createMessageQuotaStore({ model: createMessageQuotaModel(connection) }),
    erasedIds,
    maxPerHour: config.USER_MESSAGES_PER_HOUR,
    clock,
  })
  const relay = startMessaging({
    config,
    service: 'contact',
    publishes: ['contact.received.v1', 'contact.replied.v1', 'audit.recorded.v1'],
    consumers: [
      defineConsumer('contact.user-deleted', ({ data, time }) =>
        contacts.eraseUser({ ...data, erasedAt: new Date(time) }),
      ),
    ],
    model,
    metrics,
    logger,
    lifecycle,
  })
  lifecycle.onStop(
    'sweep',
    runPeriodically(erasedIds.removeOld, { name: 'sweep', intervalMs: SWEEP_INTERVAL_MS, logger }),
  )
  const health = createHealth({ mongo: pingMongo(connection) })
  const app = createServiceApp({
    routes: contactContracts(config),
    handlers: contactRoutes(contacts),
    verifyToken: createJwksTokenVerifier(config, clock),
    maxJsonBytes: config.MAX_JSON_BYTES,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    logger,
    metrics,
    health,
  })
  return listen(app, health)
}
