import { connectBlobStorage, newUploadId } from '@confetti/blob-storage'
import { getEventSummary } from '@confetti/contracts'
import { newMessage, startMessaging } from '@confetti/messaging'
import {
  callService,
  connectMongo,
  connectRedis,
  createErasedIds,
  createHealth,
  createJwksTokenVerifier,
  createRateLimiter,
  createService,
  pingMongo,
  runPeriodically,
  runService,
  systemClock as clock,
} from '@confetti/service-kit'
import { createApp } from './app.ts'
import { createArchiveLinks } from './archive/archive-links.ts'
import { createArchiveMetrics } from './archive/archive-metrics.ts'
import { makeCompleteChecksums } from './archive/complete-checksums.ts'
import { makeCreateEventArchive, makeCreateMyEventArchive } from './archive/create-archive.ts'
import { makeFindArchive } from './archive/find-archive.ts'
import { makeSendArchive } from './archive/send-archive.ts'
import { configSchema, MEMORY_OVERHEAD_BYTES } from './config.ts'
import { createConsumers } from './consumers.ts'
import { makeAdmitUploads } from './domain/admit-uploads.ts'
import { makeCompleteUploads } from './domain/complete-uploads.ts'
import { makeCreateTickets } from './domain/create-tickets.ts'
import { makeCreateUploads } from './domain/create-uploads.ts'
import { makeDeleteUpload } from './domain/delete-upload.ts'
import { makeEraseEvent } from './domain/erase-event.ts'
import { createEventUsage } from './domain/event-usage.ts'
import { toStoredEvent } from './domain/event.ts'
import { makeFindEvent, makeFindOpenEvent } from './domain/find-event.ts'
import { makeGetEventCover } from './domain/get-event-cover.ts'
import { makeListEventUploads, makeListMyEventUploads } from './domain/list-event-uploads.ts'
import { createOpenTickets } from './domain/open-tickets.ts'
import { createQuotas } from './domain/quotas.ts'
import { makeReadTickets } from './domain/read-tickets.ts'
import { makeRecordProcessing } from './domain/record-processing.ts'
import { makeReplaceLostMessages } from './domain/replace-lost-messages.ts'
import { makeRequestOverdueProcessing } from './domain/request-processing.ts'
import { makeResumeUploads } from './domain/resume-uploads.ts'
import { makeSendTicket } from './domain/send-ticket.ts'
import { makeSweep } from './domain/sweep.ts'
import { createTicketSignature } from './domain/ticket-signature.ts'
import { createMemoryBudget } from './ingest/memory-budget.ts'
import { makeReceiveFile } from './ingest/receive-file.ts'
import { makeReceiveForm } from './ingest/receive-form.ts'
import { newDeadline } from './ingest/staged-blob.ts'
import { makeStoreFile } from './ingest/store-file.ts'
import { createArchiveBlobs } from './storage/archive-blobs.ts'
import { createArchiveModels, createArchiveStore } from './storage/archive-store.ts'
import { createBlobAccount } from './storage/blob-account.ts'
import { createBlobStore } from './storage/blob-store.ts'
import { ensureDatabaseId } from './storage/database-id.ts'
import { createDirectBlobs } from './storage/direct-blobs.ts'
import { createEventModel, createEventStore } from './storage/event-store.ts'
import { createLinkSigner } from './storage/link-signer.ts'
import { createUploadModel } from './storage/upload-model.ts'
import { createUploadStore } from './storage/upload-store.ts'
import { createUploadMetrics } from './upload-metrics.ts'

/** The open tickets of an address are limited as those of so many guests. */
const GUESTS_PER_ADDRESS = 1_000
const DAY_SECONDS = 24 * 3_600

await runService(configSchema, process.env, async (config) => {
  const { logger, metrics, lifecycle, listen } = await createService('uploads', config)
  const memoryBudget = createMemoryBudget(config.MEMORY_LIMIT_BYTES - MEMORY_OVERHEAD_BYTES)
  const uploadMetrics = createUploadMetrics(metrics, memoryBudget)

  const connection = await connectMongo(config.MONGO_URL, logger)
  lifecycle.onClose('mongo', () => connection.close())
  const model = createUploadModel(connection)
  await model.createIndexes()
  const archiveModels = createArchiveModels(connection)
  await archiveModels.archives.createIndexes()
  await archiveModels.pages.createIndexes()
  const archives = createArchiveStore(archiveModels)
  const erasedIds = createErasedIds(connection, clock)
  const events = createEventStore({ model: createEventModel(connection), erasedIds })
  const uploads = createUploadStore({
    model,
    processingTimeoutMs: config.PROCESSING_TIMEOUT_MS,
    // The relay is created below, as its consumers need this store.
    relay: {
      wakeRelay: () => relay.wakeRelay(),
      publishLeased: (claim) => relay.publishLeased(claim),
    },
  })
  const newCallDeadline = () => newDeadline(config.BLOB_TIMEOUT_MS)
  const blobService = await connectBlobStorage(config, {
    retryOptions: { maxTries: 3, retryDelayInMs: 200, maxRetryDelayInMs: 2_000 },
  })
  const linkSigner = await createLinkSigner(blobService, { clock, newCallDeadline, metrics })
  lifecycle.onStop(
    'link key',
    runPeriodically(linkSigner.renewKey, { name: 'link key', intervalMs: 3_600_000, logger }),
  )
  const account = createBlobAccount({
    service: blobService,
    containerName: config.BLOB_CONTAINER,
    publicUrl: config.BLOB_PUBLIC_URL,
    linkSigner,
    newCallDeadline,
  })
  const blobs = createBlobStore({ account, memoryBudget, logger })
  const directBlobs = createDirectBlobs(account)
  await blobs.prepare(config.SHELL_ORIGINS, await ensureDatabaseId(connection))

  const requestOverdueProcessing = makeRequestOverdueProcessing({
    uploads,
    clock,
    processingTimeoutMs: config.PROCESSING_TIMEOUT_MS,
    metrics: uploadMetrics,
    logger,
  })
  const ticketLifeMs = Math.min(config.TICKET_LIFE_MS, config.ORPHAN_AGE_MS / 1.5)
  const stopErasing = new AbortController()
  lifecycle.onDrain(() => stopErasing.abort(new Error('The service stops')))
  const eraseEvent = makeEraseEvent({
    events,
    uploads,
    archives,
    blobs,
    reportErased: (eventId) => relay.publish(newMessage('uploads.erased.v1', { eventId })),
    ticketLifeMs,
    clock,
    signal: stopErasing.signal,
    logger,
  })
  const relay = startMessaging({
    config,
    service: 'uploads',
    consumers: createConsumers({
      events,
      eraseEvent,
      recordProcessing: makeRecordProcessing({ uploads, clock, logger }),
      replaceLostMessages: makeReplaceLostMessages({ uploads, requestOverdueProcessing, clock }),
    }),
    model,
    metrics,
    logger,
    lifecycle,
  })

  const sweep = makeSweep({
    uploads,
    archives,
    erasedIds,
    blobs,
    clock,
    requestOverdueProcessing,
    orphanAgeMs: config.ORPHAN_AGE_MS,
    metrics: uploadMetrics,
    logger,
  })
  lifecycle.onStop(
    'sweep',
    runPeriodically(sweep, { name: 'sweep', intervalMs: config.SWEEP_INTERVAL_MS, logger }),
  )

  const findEvent = makeFindEvent({
    events,
    fetchEvent: async (eventId) => {
      const summary = await callService(config.EVENTS_URL, getEventSummary, { eventId })
      return summary && toStoredEvent(summary)
    },
  })
  const findOpenEvent = makeFindOpenEvent({ findEvent, clock })
  const redis = connectRedis(config.REDIS_URL, { logger, metrics, lifecycle })
  const createDayLimit = (name: string, points: number) =>
    createRateLimiter({
      redis,
      name: `uploads-${name}`,
      points,
      seconds: DAY_SECONDS,
      message: 'That is as much as one guest can send in a day.',
    })
  const quotas = createQuotas({
    eventUsage: createEventUsage({
      uploads,
      // What cannot be published now is counted again soon.
      report: (eventId, { bytes }) =>
        void relay.publish(newMessage('uploads.counted.v1', { eventId, bytes })).catch(() => undefined),
      clock,
    }),
    guestFiles: createDayLimit('guest-day-files', config.GUEST_FILES_PER_DAY),
    guestMegabytes: createDayLimit('guest-day-mb', config.GUEST_MB_PER_DAY),
  })
  const admitUploads = makeAdmitUploads({ findEvent, quotas, uploads })
  const receiveFile = makeReceiveFile({
    stage: blobs.stage,
    limits: config,
    newId: (eventId) => newUploadId(eventId, clock()),
  })
  const createUploads = makeCreateUploads({
    memoryBudget,
    admissionTimeoutMs: config.ADMISSION_TIMEOUT_MS,
    receiveForm: makeReceiveForm({
      receiveFile,
      findOpenEvent,
      limits: config,
    }),
    storeFile: makeStoreFile({
      admitUploads,
      removeOriginal: blobs.removeOriginal,
      clock,
      metrics: uploadMetrics,
      logger,
    }),
    newDeadline: newCallDeadline,
    metrics: uploadMetrics,
    logger,
  })

  const signature = createTicketSignature(config.TICKET_SECRET)
  const readTickets = makeReadTickets({ signature, clock, ticketLifeMs })
  const sendTicket = makeSendTicket({ signature, blobs: directBlobs, ticketLifeMs })
  const createTicketLimit = (name: string, points: number) =>
    createRateLimiter({
      redis,
      name: `uploads-${name}`,
      points,
      seconds: Math.ceil(ticketLifeMs / 1_000),
      maxRetryAfterSeconds: 30,
      message: 'Too many files are still to be sent. Please try again in a moment.',
    })
  const openTickets = createOpenTickets({
    guests: {
      files: createTicketLimit('guest-tickets', config.MAX_OPEN_TICKETS),
      megabytes: createTicketLimit('guest-ticket-mb', config.MAX_OPEN_TICKET_MB),
    },
    addresses: {
      files: createTicketLimit('address-tickets', config.MAX_OPEN_TICKETS * GUESTS_PER_ADDRESS),
      megabytes: createTicketLimit('address-ticket-mb', config.MAX_OPEN_TICKET_MB * GUESTS_PER_ADDRESS),
    },
  })
  const createTickets = makeCreateTickets({
    isEnabled: config.DIRECT_UPLOADS === 'on',
    findOpenEvent,
    uploads,
    quotas,
    openTickets,
    sendTicket,
    newId: newUploadId,
    clock,
    limits: config,
    metrics: uploadMetrics,
  })
  const completeUploads = makeCompleteUploads({
    readTickets,
    admitUploads,
    uploads,
    blobs: directBlobs,
    openTickets,
    clock,
    metrics: uploadMetrics,
    logger,
  })
  const resumeUploads = makeResumeUploads({ readTickets, uploads, blobs: directBlobs, sendTicket, clock })

  const listDeps = { findEvent, uploads, createReadLinks: blobs.createReadLinks, clock }

  const archiveBlobs = createArchiveBlobs(account)
  const links = createArchiveLinks(config.TICKET_SECRET)
  const createArchiveDeps = {
    findEvent,
    uploads,
    archives,
    completeChecksums: makeCompleteChecksums({ uploads, blobs: archiveBlobs, clock, logger }),
    links,
    linkLifeMs: config.ARCHIVE_LINK_LIFE_MS,
    clock,
  }

  const health = createHealth({ mongo: pingMongo(connection), blob: blobs.check })
  const app = createApp({
    createUploads,
    createTickets,
    completeUploads,
    resumeUploads,
    listEventUploads: makeListEventUploads(listDeps),
    listMyEventUploads: makeListMyEventUploads(listDeps),
    getEventCover: makeGetEventCover(listDeps),
    deleteUpload: makeDeleteUpload({ uploads, clock }),
    createEventArchive: makeCreateEventArchive(createArchiveDeps),
    createMyEventArchive: makeCreateMyEventArchive(createArchiveDeps),
    findArchive: makeFindArchive({ links, archives, uploads, clock }),
    sendArchive: makeSendArchive({
      archives,
      readOriginal: archiveBlobs.readOriginal,
      maxDownloads: config.MAX_ARCHIVE_DOWNLOADS,
      maxBytesPerSecond: config.ARCHIVE_BYTES_PER_SECOND,
      metrics: createArchiveMetrics(metrics, config.MAX_ARCHIVE_DOWNLOADS),
      logger,
    }),
    limits: config,
    minRateWindowMs: config.IDLE_TIMEOUT_MS,
    maxDurationMs: config.MAX_UPLOAD_DURATION_MS,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    maxJsonBytes: config.MAX_JSON_BYTES,
    verifyToken: createJwksTokenVerifier(config),
    logger,
    metrics,
    health,
  })
  await listen(app, health)
})
