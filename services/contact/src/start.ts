import { startMessaging } from '@confetti/messaging'
import {
  connectMongo,
  createErasedIds,
  createHealth,
  createJwksTokenVerifier,
  createService,
  pingMongo,
  runPeriodically,
  type Host,
  type RunningService,
} from '@confetti/service-kit'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { userDeletedConsumer } from './consumers/user-deleted.ts'
import { makeContactAdmin } from './domain/contact-admin.ts'
import { makeEraseUser } from './domain/erase-user.ts'
import { makeListContacts } from './domain/list-contacts.ts'
import { makeFindContact, makeReplyToContact } from './domain/reply-to-contact.ts'
import { createContactModel } from './storage/contact-model.ts'
import { createContactStore } from './storage/contact-store.ts'
import { createMessageQuotaModel } from './storage/message-quota-model.ts'
import { createMessageQuotaStore } from './storage/message-quota-store.ts'

const SWEEP_INTERVAL_MS = 3_600_000

/** Starts the service with its connections, and resolves when it listens. */
export const startContact = async (config: Config, host: Host): Promise<RunningService> => {
  const { logger, metrics, lifecycle, listen } = await createService('contact', config, host)
  const { clock } = host

  const connection = await connectMongo(config.MONGO_URL, logger)
  lifecycle.onClose('mongo', () => connection.close())
  const model = createContactModel(connection)
  await model.createIndexes()

  // The relay is created below, as its consumer needs this store.
  const contacts = createContactStore({ model, wakeRelay: () => relay.wakeRelay() })
  const quotas = createMessageQuotaStore({ model: createMessageQuotaModel(connection) })
  const erasedIds = createErasedIds(connection, clock)
  const eraseUser = makeEraseUser({ contacts, quotas, erasedIds })
  const relay = startMessaging({
    config,
    service: 'contact',
    publishes: ['contact.received.v1', 'contact.replied.v1', 'audit.recorded.v1'],
    consumers: [userDeletedConsumer({ eraseUser })],
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
  const findContact = makeFindContact({ contacts })
  const app = createApp({
    contactAdmin: makeContactAdmin({
      contacts,
      quotas,
      erasedIds,
      eraseUser,
      maxPerHour: config.USER_MESSAGES_PER_HOUR,
      clock,
    }),
    listContacts: makeListContacts({ contacts }),
    findContact,
    replyToContact: makeReplyToContact({ contacts, findContact, erasedIds, eraseUser, clock }),
    limits: config,
    verifyToken: createJwksTokenVerifier(config, clock),
    maxJsonBytes: config.MAX_JSON_BYTES,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    logger,
    metrics,
    health,
  })
  return listen(app, health)
}
