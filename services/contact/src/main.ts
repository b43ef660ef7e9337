import { connectBroker, startOutboxRelay } from '@confetti/messaging'
import {
  connectMongo,
  createHealth,
  createService,
  createTokenCheck,
  pingMongo,
  publishedKeys,
  runService,
} from '@confetti/service-kit'
import { createApp } from './app.ts'
import { contactConfig } from './config.ts'
import { makeContactAdmin } from './domain/contact-admin.ts'
import { makeListContacts } from './domain/list-contacts.ts'
import { contactModel } from './storage/contact-model.ts'
import { createContactStore } from './storage/contact-store.ts'

await runService(contactConfig, process.env, async (config) => {
  const { logger, metrics, lifecycle, listen } = createService('contact', config)

  const connection = await connectMongo(config.MONGO_URL, logger)
  lifecycle.onClose('mongo', () => connection.close())
  const contactDocuments = contactModel(connection)
  await contactDocuments.createIndexes()

  const broker = connectBroker({
    url: config.RABBITMQ_URL,
    namespace: config.RABBITMQ_NAMESPACE,
    source: 'contact',
    consumers: [],
    logger,
  })
  lifecycle.onClose('broker', broker.close)
  const relay = startOutboxRelay({ model: contactDocuments, broker, logger })
  lifecycle.onStop('outbox', relay.stop)

  const contacts = createContactStore({ contacts: contactDocuments, nudge: relay.nudge })
  const health = createHealth({ mongo: pingMongo(connection) })
  const app = createApp({
    contactAdmin: makeContactAdmin({ contacts, clock: { now: () => new Date() } }),
    listContacts: makeListContacts({ contacts }),
    limits: config,
    checkToken: createTokenCheck({
      keyFor: publishedKeys(config.AUTH_JWKS_URL),
      issuer: config.TOKEN_ISSUER,
      audience: config.TOKEN_AUDIENCE,
    }),
    maxJsonBytes: config.MAX_JSON_BYTES,
    logger,
    metrics,
    health,
  })
  await listen(app, health)
})
