import { getEventSummary } from '@confetti/contracts'
import { startMessaging } from '@confetti/messaging'
import {
  askService,
  connectMongo,
  createHealth,
  createService,
  createPublishedTokenCheck,
  pingMongo,
  repeat,
  runService,
} from '@confetti/service-kit'
import { Types } from 'mongoose'
import { createApp } from './app.ts'
import { configSchema, GARBAGE_BYTES } from './config.ts'
import { createConsumers } from './consumers.ts'
import { createBytesInFlight } from './domain/bytes-in-flight.ts'
import { makeCreateUploads } from './domain/create-uploads.ts'
import { makeDeleteUpload } from './domain/delete-upload.ts'
import { makeFindEvent, makeFindOpenEvent } from './domain/find-event.ts'
import { makeKeepFile } from './domain/keep-file.ts'
import { makeListEventUploads, makeListMyEventUploads } from './domain/list-event-uploads.ts'
import { makeReceiveFile } from './domain/receive-file.ts'
import { makeReceiveForm } from './domain/receive-form.ts'
import { makeSweep } from './domain/sweep.ts'
import { createBlobStore } from './storage/blob-store.ts'
import { databaseId } from './storage/database-id.ts'
import { createEventStore } from './storage/event-store.ts'
import { uploadModel } from './storage/upload-model.ts'
import { createUploadStore } from './storage/upload-store.ts'
import { createUploadMetrics } from './upload-metrics.ts'

await runService(configSchema, process.env, async (config) => {
  const { logger, metrics, lifecycle, listen } = await createService('uploads', config)
  const clock = () => new Date()
  const room = createBytesInFlight(config.MEMORY_CEILING_BYTES - GARBAGE_BYTES)

  const connection = await connectMongo(config.MONGO_URL, logger)
  lifecycle.onClose('mongo', () => connection.close())
  const model = uploadModel(connection)
  await model.createIndexes()
  const events = createEventStore(connection)
  const uploads = createUploadStore(model, {
    nudge: () => relay.nudge(),
    sendHeld: (claim) => relay.sendHeld(claim),
  })
  const blobs = createBlobStore({
    connectionString: config.BLOB_CONNECTION_STRING,
    containerName: config.BLOB_CONTAINER,
    publicUrl: config.BLOB_PUBLIC_URL,
    timeLimitMs: config.BLOB_TIME_LIMIT_MS,
    room,
  })
  await blobs.prepare(config.SHELL_ORIGINS, await databaseId(connection))

  const relay = startMessaging({
    config,
    service: 'uploads',
    consumers: createConsumers({ events, uploads }),
    model,
    metrics,
    logger,
    lifecycle,
  })

  const findEvent = makeFindEvent({
    events,
    askEvents: (eventId) => askService(config.EVENTS_URL, getEventSummary, { eventId }),
  })
  const receiveForm = makeReceiveForm({
    receiveFile: makeReceiveFile({ blobs, limits: config, newId: () => new Types.ObjectId().toHexString() }),
    findOpenEvent: makeFindOpenEvent({ findEvent, clock }),
    limits: config,
  })
  const sweep = makeSweep({
    uploads,
    blobs,
    clock,
    leftoverAgeMs: config.LEFTOVER_AGE_MS,
    patienceMs: config.PROCESSING_PATIENCE_MS,
    logger,
  })
  lifecycle.onStop('sweep', repeat(sweep, config.SWEEP_INTERVAL_MS, logger))

  const uploadMetrics = createUploadMetrics(metrics, room)
  const health = createHealth({ mongo: pingMongo(connection), blob: blobs.check })
  const app = createApp({
    createUploads: makeCreateUploads({
      room,
      admissionWaitMs: config.ADMISSION_WAIT_MS,
      receiveForm,
      keepFile: makeKeepFile({ uploads, blobs, clock, metrics: uploadMetrics, logger }),
      newLimit: blobs.newLimit,
      metrics: uploadMetrics,
      logger,
    }),
    listEventUploads: makeListEventUploads({ findEvent, uploads, blobs, clock }),
    listMyEventUploads: makeListMyEventUploads({ findEvent, uploads, blobs, clock }),
    deleteUpload: makeDeleteUpload({ uploads, clock }),
    limits: config,
    paceWindowMs: config.IDLE_TIMEOUT_MS,
    longestMs: config.LONGEST_UPLOAD_MS,
    checkToken: createPublishedTokenCheck(config),
    logger,
    metrics,
    health,
  })
  await listen(app, health)
})
