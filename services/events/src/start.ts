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
import { createAccounts } from './accounts/accounts.ts'
import type { Config } from './config.ts'
import type { Deps } from './deps.ts'
import { createSweep } from './erasure/sweep.ts'
import { createManaging } from './managing/managing.ts'
import { eventContracts, managingRoutes } from './managing/routes.ts'
import { createEventModel, createEventStore } from './storage/event-store.ts'
import { createUserStore } from './storage/user-store.ts'
import { createViewing } from './viewing/viewing.ts'
import { viewingRoutes } from './viewing/routes.ts'

/** Starts the service with its connections, and resolves when it listens. */
export const startEvents = async (config: Config, host: Host): Promise<RunningService> => {
  const service = await createService('events', config, host)
  const { clock } = service

  const connection = await openDatabase(service)
  const model = createEventModel(connection)
  await model.createIndexes()
  const erasedIds = createErasedIds(connection, clock)
  const deps: Deps = {
    ...service,
    // The relay is created below, as its consumers need this store.
    events: createEventStore(model, { config, wakeRelay: () => relay.wakeRelay() }),
    users: await createUserStore(connection, erasedIds),
    erasedIds,
  }
  const { events } = deps
  const accounts = createAccounts(deps)
  const relay = startMessaging(service, {
    publishes: ['event.created.v1', 'event.changed.v1', 'event.deleted.v1', 'audit.recorded.v1'],
    consumers: [
      defineConsumer('events.user-registered', ({ data }) =>
        accounts.save({ ...data, active: true, revision: 0 }),
      ),
      defineConsumer('events.user-changed', ({ data }) => accounts.save(data)),
      defineConsumer('events.user-deleted', ({ data }) => accounts.forget(data._id)),
      // Not the message's time, which is before the deletion: a count between the two still has the upload.
      defineConsumer('events.upload-deleted', ({ data }) => events.forgetUsage(data.eventId, clock())),
      defineConsumer('events.uploads-counted', ({ data, time }) =>
        events.setUsage(data.eventId, { files: data.files, bytes: data.bytes, countedAt: new Date(time) }),
      ),
      defineConsumer('events.uploads-erased', ({ data }) => events.removeDeleted(data.eventId)),
    ],
    model,
  })

  service.runEvery(config.SWEEP_INTERVAL_MS, 'sweep', createSweep(deps))

  const viewing = createViewing(deps)
  const app = createServiceApp(service, {
    routes: eventContracts(config),
    handlers: { ...viewingRoutes(viewing), ...managingRoutes(createManaging(deps, accounts)) },
    events: {
      get: viewing.getStored,
      isOrganiser: ({ organisers }, userId) => organisers.some(({ _id }) => _id === userId),
    },
    verifyToken: createJwksTokenVerifier(config, clock),
    maxJsonBytes: config.MAX_JSON_BYTES,
  })
  return service.listen(app)
}
