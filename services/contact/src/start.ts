import { defineConsumer, startMessaging } from '@confetti/messaging'
import {
  createErasedIds,
  createJwksTokenVerifier,
  createService,
  createServiceApp,
  openDatabase,
  type Host,
  type RunningService,
} from '@confetti/service-kit'
import type { Config } from './config.ts'
import { createContacts } from './contacts/contacts.ts'
import { contactContracts, contactRoutes } from './contacts/routes.ts'
import { createContactModel, createContactStore } from './storage/contact-store.ts'
import { createMessageQuotaStore } from './storage/message-quota-store.ts'

const SWEEP_INTERVAL_MS = 3_600_000

/** Starts the service with its connections, and resolves when it listens. */
export const startContact = async (config: Config, host: Host): Promise<RunningService> => {
  const service = await createService('contact', config, host)
  const { clock } = service

  const connection = await openDatabase(service)
  const model = createContactModel(connection)
  await model.createIndexes()

  const erasedIds = createErasedIds(connection, clock)
  const contacts = createContacts({
    ...service,
    // The relay is created below, as its consumer needs this store.
    contacts: createContactStore(model, () => relay.wakeRelay()),
    quotas: createMessageQuotaStore(connection),
    erasedIds,
  })
  const relay = startMessaging(service, {
    publishes: ['contact.received.v1', 'contact.replied.v1', 'audit.recorded.v1'],
    consumers: [defineConsumer('contact.user-deleted', ({ data }) => contacts.eraseUser(data._id))],
    model,
  })
  service.runEvery(SWEEP_INTERVAL_MS, 'sweep', erasedIds.removeOld)
  const app = createServiceApp(service, {
    routes: contactContracts(config),
    handlers: contactRoutes(contacts),
    verifyToken: createJwksTokenVerifier(config, clock),
    maxJsonBytes: config.MAX_JSON_BYTES,
  })
  return service.listen(app)
}
