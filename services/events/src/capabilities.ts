import { defineConsumer, newMessage, startMessaging, type Connections } from '@confetti/messaging'
import { createErasedIds, keepUserCopies, type Service } from '@confetti/service-kit'
import { createAccounts } from './accounts/accounts.ts'
import type { Config } from './config.ts'
import type { Deps } from './deps.ts'
import { createSweep } from './erasure/sweep.ts'
import { createChangeEvent } from './change-event.ts'
import { createInviting } from './inviting/inviting.ts'
import { createManaging } from './managing/managing.ts'
import { createDueCheckStore } from './storage/due-check-store.ts'
import { createEventIndexes, createEventModel } from './storage/event-model.ts'
import { createEventStore } from './storage/event-store.ts'
import { createUserStore } from './storage/user-store.ts'
import { createViewing } from './viewing/viewing.ts'

/** Creates the capabilities of the service, and starts its consumers, its outbox relay and its sweep. */
export const createCapabilities = async (service: Service<Config>, { database, broker }: Connections) => {
  const { config, clock } = service
  const model = createEventModel(database)
  await createEventIndexes(model)
  const erasedIds = await createErasedIds(database, clock)
  const deps: Deps = {
    ...service,
    // The relay is created below, as its consumers need this store.
    events: createEventStore(model, { config, wakeRelay: () => relay.wakeRelay(), clock }),
    dueChecks: createDueCheckStore(database),
    users: await createUserStore(database, erasedIds),
    erasedIds,
  }
  const { events } = deps
  const accounts = createAccounts(deps)
  const relay = startMessaging(service, {
    publishes: [
      'event.created.v1',
      'event.changed.v1',
      'event.deleted.v1',
      'organiser.invited.v1',
      'user.erased.v1',
      'audit.recorded.v1',
    ],
    consumers: [
      defineConsumer('events.user-registered', ({ data }) =>
        accounts.save({ ...data, active: true, revision: 0 }),
      ),
      defineConsumer('events.user-changed', ({ data }) => accounts.save(data)),
      defineConsumer('events.user-deleted', async ({ data }) => {
        await accounts.forget(data)
        await relay.publish(newMessage('user.erased.v1', { userId: data._id, service: 'events' }))
      }),
      // Not the message's time, which is before the deletion: a count between the two still has the upload.
      defineConsumer('events.upload-deleted', ({ data }) => events.forgetUsage(data.eventId, clock())),
      defineConsumer('events.uploads-counted', ({ data, time }) =>
        events.setUsage(data.eventId, { files: data.files, bytes: data.bytes, countedAt: new Date(time) }),
      ),
      defineConsumer('events.event-erased', ({ data }) => events.confirmErasure(data.eventId, data.service)),
      // From an earlier version of uploads, which says no more.
      defineConsumer('events.uploads-erased', ({ data }) => events.confirmErasure(data.eventId, 'uploads')),
    ],
    model,
    broker,
  })
  keepUserCopies(service, database, accounts.save)
  service.runEvery(config.SWEEP_INTERVAL_MS, 'sweep', createSweep(deps))
  const changeEvent = createChangeEvent(deps, accounts)
  return {
    viewing: createViewing(deps),
    managing: createManaging(deps, { accounts, changeEvent }),
    inviting: createInviting(deps, { accounts, changeEvent }),
  }
}
export type Capabilities = Awaited<ReturnType<typeof createCapabilities>>
