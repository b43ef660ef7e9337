import { getUser } from '@confetti/contracts'
import { defineConsumer, startMessaging } from '@confetti/messaging'
import {
  callService,
  connectMongo,
  createErasedIds,
  createHealth,
  createJwksTokenVerifier,
  createService,
  createServiceApp,
  pickDefined,
  pingMongo,
  runPeriodically,
  type Host,
  type RunningService,
} from '@confetti/service-kit'
import { createAccounts } from './accounts/accounts.ts'
import type { Config } from './config.ts'
import { createEventMetrics, createSweep } from './erasure/sweep.ts'
import { createManaging } from './managing/managing.ts'
import { eventContracts, managingRoutes } from './managing/routes.ts'
import { createEventModel, createEventStore } from './storage/event-store.ts'
import { createUserModel, createUserStore } from './storage/user-store.ts'
import { createViewing } from './viewing/viewing.ts'
import { viewingRoutes } from './viewing/routes.ts'

/** Starts the service with its connections, and resolves when it listens. */
export const startEvents = async (config: Config, host: Host): Promise<RunningService> => {
  const { logger, metrics, lifecycle, listen } = await createService('events', config, host)
  const { clock } = host

  const connection = await connectMongo(config.MONGO_URL, logger)
  lifecycle.onClose('mongo', () => connection.close())
  const model = createEventModel(connection)
  await model.createIndexes()
  const userModel = createUserModel(connection)
  await userModel.createIndexes()
  const erasedIds = createErasedIds(connection, clock)
  const users = createUserStore({ model: userModel, erasedIds })

  const defaults = { timeZone: config.EVENT_TIME_ZONE, graceDays: config.UPLOAD_GRACE_DAYS }
  // The relay is created below, as its consumers need this store.
  const events = createEventStore({ model, defaults, wakeRelay: () => relay.wakeRelay() })
  const accounts = createAccounts({
    users,
    events,
    fetchUser: (userId) => callService(config.AUTH_URL, getUser, { userId }),
  })
  const relay = startMessaging({
    config,
    service: 'events',
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
    metrics,
    logger,
    lifecycle,
  })

  const sweep = createSweep({
    events,
    erasedIds,
    clock,
    erasureTimeoutMs: config.ERASURE_TIMEOUT_MS,
    metrics: createEventMetrics(metrics, clock),
    logger,
  })
  lifecycle.onStop(
    'sweep',
    runPeriodically(sweep, { name: 'sweep', intervalMs: config.SWEEP_INTERVAL_MS, logger }),
  )

  const newEventSettings = pickDefined(
    {
      maxFiles: config.NEW_EVENT_MAX_FILES,
      maxBytes: config.NEW_EVENT_MAX_BYTES,
      keepDays: config.NEW_EVENT_KEEP_DAYS,
    },
    ['maxFiles', 'maxBytes', 'keepDays'],
  )
  const viewSettings = {
    timeZone: config.EVENT_TIME_ZONE,
    shellUrl: config.SHELL_URL,
    maxFileBytes: config.MAX_FILE_BYTES,
  }
  const viewing = createViewing({ events, clock, viewSettings })
  const managing = createManaging({ events, accounts, clock, defaults, newEventSettings, viewSettings })

  const health = createHealth({ mongo: pingMongo(connection) })
  const app = createServiceApp({
    routes: eventContracts(config),
    handlers: { ...viewingRoutes(viewing), ...managingRoutes(managing) },
    events: {
      find: viewing.find,
      isOrganiser: ({ organisers }, userId) => organisers.some(({ _id }) => _id === userId),
    },
    verifyToken: createJwksTokenVerifier(config, clock),
    maxJsonBytes: config.MAX_JSON_BYTES,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    logger,
    metrics,
    health,
  })
  return listen(app, health)
}
