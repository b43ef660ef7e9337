import { startMessaging } from '@confetti/messaging'
import {
  connectMongo,
  createHealth,
  createJwksTokenVerifier,
  createService,
  pingMongo,
  runService,
  systemClock as clock,
} from '@confetti/service-kit'
import { createApp } from './app.ts'
import { configSchema } from './config.ts'
import { makeContactAdmin } from './domain/contact-admin.ts'
import { makeListContacts } from './domain/list-contacts.ts'
import { makeReplyToContact } from './domain/reply-to-contact.ts'
import { createContactModel } from './storage/contact-model.ts'
import { createContactStore } from './storage/contact-store.ts'
import { createMessageQuotaModel } from './storage/message-quota-model.ts'
import { createMessageQuotaStore } from './storage/message-quota-store.ts'

await runService(configSchema, process.env, async (config) => {
  const { logger, metrics, lifecycle, listen } = await createService('contact', config)

  const connection = await connectMongo(config.MONGO_URL, logger)
  lifecycle.onClose('mongo', () => connection.close())
  const model = createContactModel(connection)
  await model.createIndexes()

  const relay = startMessaging({
    config,
    service: 'contact',
    model,
    metrics,
    logger,
    lifecycle,
  })
  const contacts = createContactStore({ model, wakeRelay: relay.wakeRelay })
  const health = createHealth({ mongo: pingMongo(connection) })
  const app = createApp({
    contactAdmin: makeContactAdmin({
      contacts,
      quotas: createMessageQuotaStore({ model: createMessageQuotaModel(connection) }),
      maxPerHour: config.USER_MESSAGES_PER_HOUR,
      clock,
    }),
    listContacts: makeListContacts({ contacts }),
    replyToContact: makeReplyToContact({ contacts, clock }),
    limits: config,
    verifyToken: createJwksTokenVerifier(config),
    maxJsonBytes: config.MAX_JSON_BYTES,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    logger,
    metrics,
    health,
  })
  await listen(app, health)
})
