import { getUser } from '@confetti/contracts'
import { startMessaging } from '@confetti/messaging'
import {
  callService,
  connectMongo,
  createErasedIds,
  createHealth,
  createJwksTokenVerifier,
  createService,
  pickDefined,
  pingMongo,
  runPeriodically,
  type Host,
  type RunningService,
} from '@confetti/service-kit'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { createConsumers } from './consumers.ts'
import { makeChangeEvent } from './domain/change-event.ts'
import { makeAddOrganiser, makeRemoveOrganiser } from './domain/change-organisers.ts'
import { makeCreateWall, makeDeleteWall } from './domain/change-wall.ts'
import { makeCreateEvent } from './domain/create-event.ts'
import { makeCreateQrCode } from './domain/create-qr-code.ts'
import { makeDeleteEvent } from './domain/delete-event.ts'
import { makeFindEvent, makeFindManagedEvent } from './domain/find-event.ts'
import { makeFindOrganiser } from './domain/find-organiser.ts'
import { makeDropErasedOrganisers, makeForgetUser } from './domain/forget-user.ts'
import { makeGetEventSummary } from './domain/get-event-summary.ts'
import { makeGetEvent } from './domain/get-event.ts'
import { makeListEvents } from './domain/list-events.ts'
import { makeListMyEvents } from './domain/list-my-events.ts'
import { makeSweep } from './domain/sweep.ts'
import { makeUpdateEvent } from './domain/update-event.ts'
import { createEventMetrics } from './event-metrics.ts'
import { createEventModel } from './storage/event-model.ts'
import { createEventStore } from './storage/event-store.ts'
import { createUserModel } from './storage/user-model.ts'
import { createUserStore } from './storage/user-store.ts'

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
  const forgetUser = makeForgetUser({ users, events })
  const dropErasedOrganisers = makeDropErasedOrganisers({ users, events, forgetUser })
  const relay = startMessaging({
    config,
    service: 'events',
    publishes: ['event.created.v1', 'event.changed.v1', 'event.deleted.v1', 'audit.recorded.v1'],
    consumers: createConsumers({ users, events, forgetUser, clock }),
    model,
    metrics,
    logger,
    lifecycle,
  })

  const sweep = makeSweep({
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
  const findEvent = makeFindEvent({ events })
  const findManagedEvent = makeFindManagedEvent(findEvent)
  const findOrganiser = makeFindOrganiser({
    users,
    fetchUser: (userId) => callService(config.AUTH_URL, getUser, { userId }),
  })

  const changeEvent = makeChangeEvent({ events, findManagedEvent, dropErasedOrganisers })
  const changeDeps = { changeEvent, clock, viewSettings }

  const health = createHealth({ mongo: pingMongo(connection) })
  const app = createApp({
    findManagedEvent,
    createEvent: makeCreateEvent({
      events,
      findOrganiser,
      dropErasedOrganisers,
      clock,
      defaults,
      newEventSettings,
      viewSettings,
    }),
    updateEvent: makeUpdateEvent({ ...changeDeps, findOrganiser, defaults, newEventSettings }),
    deleteEvent: makeDeleteEvent({ events, clock }),
    addOrganiser: makeAddOrganiser({ ...changeDeps, users }),
    removeOrganiser: makeRemoveOrganiser(changeDeps),
    createWall: makeCreateWall({ changeEvent, shellUrl: config.SHELL_URL }),
    deleteWall: makeDeleteWall({ changeEvent }),
    listEvents: makeListEvents({ events, clock, viewSettings }),
    listMyEvents: makeListMyEvents({ events, clock, viewSettings }),
    getEvent: makeGetEvent({ findEvent, clock, viewSettings }),
    getEventSummary: makeGetEventSummary({ findEvent, defaults }),
    createQrCode: makeCreateQrCode({ findManagedEvent, shellUrl: config.SHELL_URL }),
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
