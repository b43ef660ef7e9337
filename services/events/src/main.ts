import { getUser } from '@confetti/contracts'
import { startMessaging } from '@confetti/messaging'
import {
  callService,
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
import { createConsumers } from './consumers.ts'
import { makeCreateEvent } from './domain/create-event.ts'
import { makeCreateQrCode } from './domain/create-qr-code.ts'
import { makeFindEvent } from './domain/find-event.ts'
import { makeFindOrganiser } from './domain/find-organiser.ts'
import { makeGetEventSummary } from './domain/get-event-summary.ts'
import { makeGetEvent } from './domain/get-event.ts'
import { makeListEvents } from './domain/list-events.ts'
import { makeListMyEvents } from './domain/list-my-events.ts'
import { createEventModel } from './storage/event-model.ts'
import { createEventStore } from './storage/event-store.ts'
import { createUserModel } from './storage/user-model.ts'
import { createUserStore } from './storage/user-store.ts'

await runService(configSchema, process.env, async (config) => {
  const { logger, metrics, lifecycle, listen } = await createService('events', config)

  const connection = await connectMongo(config.MONGO_URL, logger)
  lifecycle.onClose('mongo', () => connection.close())
  const model = createEventModel(connection)
  await model.createIndexes()
  const users = createUserStore({ model: createUserModel(connection) })

  const { wakeRelay } = startMessaging({
    config,
    service: 'events',
    consumers: createConsumers({ users }),
    model,
    metrics,
    logger,
    lifecycle,
  })

  const events = createEventStore({ model, wakeRelay })
  const viewSettings = {
    timeZone: config.EVENT_TIME_ZONE,
    shellUrl: config.SHELL_URL,
    maxFileBytes: config.MAX_FILE_BYTES,
  }
  const findEvent = makeFindEvent({ events })
  const findOrganiser = makeFindOrganiser({
    users,
    fetchUser: (userId) => callService(config.AUTH_URL, getUser, { userId }),
  })

  const health = createHealth({ mongo: pingMongo(connection) })
  const app = createApp({
    createEvent: makeCreateEvent({
      events,
      findOrganiser,
      clock,
      graceDays: config.UPLOAD_GRACE_DAYS,
      viewSettings,
    }),
    listEvents: makeListEvents({ events, clock, viewSettings }),
    listMyEvents: makeListMyEvents({ events, clock, viewSettings }),
    getEvent: makeGetEvent({ findEvent, clock, viewSettings }),
    getEventSummary: makeGetEventSummary({ findEvent }),
    createQrCode: makeCreateQrCode({ findEvent, shellUrl: config.SHELL_URL }),
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
