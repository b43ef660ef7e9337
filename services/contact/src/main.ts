import { startMessaging } from '@confetti/messaging'
import {
  connectMongo,
  createHealth,
  createService,
  createPublishedTokenCheck,
  pingMongo,
  runService,
} from '@confetti/service-kit'
import { createApp } from './app.ts'
import { contactConfig } from './config.ts'
import { makeContactAdmin } from './domain/contact-admin.ts'
import { makeListContacts } from './domain/list-contacts.ts'
import { contactModel } from './storage/contact-model.ts'
import { createContactStore } from './storage/contact-store.ts'

await runService(contactConfig, process.env, async (config) => {
  const { logger, metrics, lifecycle, listen } = await createService('contact', config)

  const connection = await connectMongo(config.MONGO_URL, logger)
  lifecycle.onClose('mongo', () => connection.close())
  const contactDocuments = contactModel(connection)
  await contactDocuments.createIndexes()

  const relay = startMessaging({
    config,
    service: 'contact',
    model: contactDocuments,
    metrics,
    logger,
    lifecycle,
  })

  const contacts = createContactStore({ contacts: contactDocuments, nudge: relay.nudge })
  const health = createHealth({ mongo: pingMongo(connection) })
  const app = createApp({
    contactAdmin: makeContactAdmin({ contacts, clock: { now: () => new Date() } }),
    listContacts: makeListContacts({ contacts }),
    limits: config,
    checkToken: createPublishedTokenCheck(config),
    maxJsonBytes: config.MAX_JSON_BYTES,
    logger,
    metrics,
    health,
  })
  await listen(app, health)
})
