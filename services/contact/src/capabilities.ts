import { defineConsumer, newMessage, startMessaging, type Connections } from '@confetti/messaging'
import { createErasedIds, type Service } from '@confetti/service-kit'
import type { Config } from './config.ts'
import { createContacts } from './contacts/contacts.ts'
import { createContactModel, createContactStore, createMessageQuotaStore } from './storage/contact-store.ts'

const SWEEP_INTERVAL_MS = 3_600_000

/** Creates the capability of the service, and starts its consumer, its outbox relay and its sweep. */
export const createCapabilities = async (service: Service<Config>, { database, broker }: Connections) => {
  const model = createContactModel(database)
  await model.createIndexes()
  const erasedIds = await createErasedIds(database, service.clock)
  const contacts = createContacts({
    ...service,
    // The relay is created below, as its consumer needs this store.
    contacts: createContactStore(model, () => relay.wakeRelay()),
    quotas: createMessageQuotaStore(database),
    erasedIds,
  })
  const relay = startMessaging(service, {
    publishes: ['contact.received.v1', 'contact.replied.v1', 'user.erased.v1', 'audit.recorded.v1'],
    consumers: [
      defineConsumer('contact.user-deleted', async ({ data: { _id: userId } }) => {
        await contacts.eraseUser(userId)
        await relay.publish(newMessage('user.erased.v1', { userId, service: 'contact' }))
      }),
    ],
    model,
    broker,
  })
  service.runEvery(SWEEP_INTERVAL_MS, 'sweep', contacts.sweep)
  service.runEvery(SWEEP_INTERVAL_MS, 'sweep of erased ids', erasedIds.removeOld)
  return { contacts }
}
