import { newUploadId } from '@confetti/blob-storage'
import { getEventSummary } from '@confetti/contracts'
import { newMessage, runUnderLease, startMessaging } from '@confetti/messaging'
import {
  callService,
  connectMongo,
  connectRedis,
  createHealth,
  createJwksTokenVerifier,
  createService,
  pingMongo,
  runPeriodically,
  type Host,
  type RunningService,
} from '@confetti/service-kit'
import { createApp } from './app.ts'
import { createArchiveLinks } from './archive/archive-links.ts'
import { createArchiveMetrics } from './archive/archive-metrics.ts'
import { makeCompleteChecksums } from './archive/complete-checksums.ts'
import { makeCreateEventArchive, makeCreateMyEventArchive } from './archive/create-archive.ts'
import { makeFindArchive } from './archive/find-archive.ts'
import { makeSendArchive } from './archive/send-archive.ts'
import { type Config, MEMORY_OVERHEAD_BYTES, ORPHAN_AGE_FACTOR } from './config.ts'
import { createConsumers } from './consumers.ts'
import { makeAdmitUploads } from './domain/admit-uploads.ts'
import { makeCompleteUploads } from './domain/complete-uploads.ts'
import { makeCreateTickets } from './domain/create-tickets.ts'
import { makeCreateUploads } from './domain/create-uploads.ts'
import { makeDeleteGuestUpload, makeDeleteMyUpload, makeDeleteUpload } from './domain/delete-upload.ts'
import { makeEraseEvent } from './domain/erase-event.ts'
import { makeEraseUncompleted } from './domain/erase-uncompleted.ts'
import { createEventUsage } from './domain/event-usage.ts'
import { toStoredEvent } from './domain/event.ts'
import { makeFindEvent, makeFindOpenEvent, makeFindOwnEvent } from './domain/find-event.ts'
import { makeFindGallery, makeFindWall } from './domain/find-gallery.ts'
import { makeGetEventCover } from './domain/get-event-cover.ts'
import { makeListEventUploads, makeListMyEventUploads } from './domain/list-event-uploads.ts'
import { makeListGallery, makeListWall } from './domain/list-gallery.ts'
import { makeListGuestUploads } from './domain/list-guest-uploads.ts'
import { createOpenTickets } from './domain/open-tickets.ts'
import { createQuotas } from './domain/quotas.ts'
import { makeReadTickets } from './domain/read-tickets.ts'
import { makeRecordProcessing } from './domain/record-processing.ts'
import { makeReplaceLostMessages } from './domain/replace-lost-messages.ts'
import { makeRequestOverdueProcessing } from './domain/request-processing.ts'
import { makeRequestOverdueRenditions } from './domain/request-renditions.ts'
import { makeReportUpload } from './domain/report-upload.ts'
import { makeResumeUploads } from './domain/resume-uploads.ts'
import { makeIssueTicket } from './domain/issue-ticket.ts'
import { makeSetMyUploadsVisibility, makeSetUploadsVisibility } from './domain/set-visibility.ts'
import { makeSweep } from './domain/sweep.ts'
import { createTicketSignature } from './domain/ticket-signature.ts'
import { createGuestLimits } from './guest-limits.ts'
import { createMemoryBudget } from './ingest/memory-budget.ts'
import { makeReceiveFile } from './ingest/receive-file.ts'
import { makeReceiveForm } from './ingest/receive-form.ts'
import { newDeadline } from './ingest/staged-blob.ts'
import { makeStoreFile } from './ingest/store-file.ts'
import { ensureDatabaseId } from './storage/database-id.ts'
import { openBlobStorage } from './storage/open-blob-storage.ts'
import { openStores } from './storage/open-stores.ts'
import { createUploadStore } from './storage/upload-store.ts'
import { createUploadMetrics } from './upload-metrics.ts'

/** A rendition takes longer than a thumbnail, and more of them wait. */
const RENDITION_TIMEOUT_FACTOR = 2

/** Starts the service with its connections, and resolves when it listens. */
export const startUploads = async (config: Config, host: Host): Promise<RunningService> => {
  const { logger, metrics, lifecycle, listen } = await createService('uploads', config, host)
  const { clock } = host
  const memoryBudget = createMemoryBudget(config.MEMORY_LIMIT_BYTES - MEMORY_OVERHEAD_BYTES)
  const uploadMetrics = createUploadMetrics(metrics, memoryBudget)

  const connection = await connectMongo(config.MONGO_URL, logger)
  lifecycle.onClose('mongo', () => connection.close())
  const { uploadModel, archives, events, erasedIds, erasedTags } = await openStores(connection, clock)
  const renditionTimeoutMs = RENDITION_TIMEOUT_FACTOR * config.PROCESSING_TIMEOUT_MS
  const uploads = createUploadStore({
    model: uploadModel,
    processingTimeoutMs: config.PROCESSING_TIMEOUT_MS,
    renditionTimeoutMs,
    clock,
    // The relay is created below, as its consumers need this store.
    relay: {
      wakeRelay: () => relay.wakeRelay(),
      publishLeased: (claim) => relay.publishLeased(claim),
    },
  })
  const newCallDeadline = () => newDeadline(config.BLOB_TIMEOUT_MS)
  const { blobs, directBlobs, archiveBlobs } = await openBlobStorage(config, {
    memoryBudget,
    newCallDeadline,
    clock,
    metrics,
    lifecycle,
    logger,
  })
  await blobs.prepare(config.SHELL_ORIGINS, await ensureDatabaseId(connection))

  const requestOverdueProcessing = makeRequestOverdueProcessing({
    uploads,
    clock,
    processingTimeoutMs: config.PROCESSING_TIMEOUT_MS,
    metrics: uploadMetrics,
    logger,
  })
  const requestOverdueRenditions = makeRequestOverdueRenditions({ uploads, clock, renditionTimeoutMs })
  const completableMs = config.ORPHAN_AGE_MS / ORPHAN_AGE_FACTOR
  const ticketLifeMs = Math.min(config.TICKET_LIFE_MS, completableMs)
  const stopErasing = new AbortController()
  lifecycle.onDrain(() => stopErasing.abort(new Error('The service stops')))
  const eraseUncompleted = makeEraseUncompleted({ uploads, blobs, ticketLifeMs, clock })
  const eraseEvent = makeEraseEvent({
    events,
    uploads,
    archives,
    blobs,
    erasedTags,
    eraseUncompleted,
    reportErased: (eventId) => relay.publish(newMessage('uploads.erased.v1', { eventId })),
    clock,
    signal: stopErasing.signal,
    logger,
  })
  const relay = startMessaging({
    config,
    service: 'uploads',
    publishes: [
      'upload.completed.v1',
      'upload.changed.v1',
      'upload.deleted.v1',
      'uploads.counted.v1',
      'uploads.erased.v1',
      'media.rendition-requested.v1',
      'audit.recorded.v1',
    ],
    consumers: createConsumers({
      events,
      uploads,
      eraseEvent,
      recordProcessing: makeRecordProcessing({ uploads, clock, logger }),
      replaceLostMessages: makeReplaceLostMessages({
        uploads,
        requestOverdueProcessing,
        requestOverdueRenditions,
        runAlone: (work) => runUnderLease(connection, 'lost messages', work),
        clock,
      }),
    }),
    model: uploadModel,
    metrics,
    logger,
    lifecycle,
  })

  const sweep = makeSweep({
    uploads,
    archives,
    erasedIds,
    erasedTags,
    eraseUncompleted,
    blobs,
    clock,
    requestOverdueProcessing,
    requestOverdueRenditions,
    completableMs,
    orphanAgeMs: config.ORPHAN_AGE_MS,
    maxOrphans: config.SWEEP_ORPHANS_LIMIT,
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
  const guestLimits = createGuestLimits(config, { redis, ticketLifeMs })
  const quotas = createQuotas({
    eventUsage: createEventUsage({
      uploads,
      // What cannot be published now is counted again soon.
      report: (eventId, { files, bytes }, countedAt) => {
        const message = newMessage('uploads.counted.v1', { eventId, files, bytes })
        void relay.publish({ ...message, time: countedAt.toISOString() }).catch(() => undefined)
      },
      clock,
    }),
    ...guestLimits.day,
  })
  const admitUploads = makeAdmitUploads({ findOpenEvent, quotas, uploads })
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
      findOpenEvent,
      admitUploads,
      removeOriginal: blobs.removeOriginal,
      clock,
      metrics: uploadMetrics,
      logger,
    }),
    newDeadline: newCallDeadline,
    clock,
    metrics: uploadMetrics,
    logger,
  })

  const signature = createTicketSignature(config.TICKET_SECRET)
  const readTickets = makeReadTickets({ signature, clock, ticketLifeMs })
  const issueTicket = makeIssueTicket({ signature, blobs: directBlobs, ticketLifeMs })
  const openTickets = createOpenTickets(guestLimits.openTickets)
  const createTickets = makeCreateTickets({
    isEnabled: config.DIRECT_UPLOADS === 'on',
    findOpenEvent,
    uploads,
    quotas,
    openTickets,
    issueTicket,
    newId: newUploadId,
    clock,
    limits: config,
    metrics: uploadMetrics,
  })
  const completeUploads = makeCompleteUploads({
    readTickets,
    findEvent,
    admitUploads,
    uploads,
    blobs: directBlobs,
    discard: async (uploadId) => {
      await blobs.removeAll(uploadId)
      await blobs.removeStaged(uploadId)
    },
    openTickets,
    clock,
    metrics: uploadMetrics,
    logger,
  })
  const resumeUploads = makeResumeUploads({
    readTickets,
    findOpenEvent,
    uploads,
    blobs: directBlobs,
    issueTicket,
    clock,
  })

  const { createReadLinks, createPreviewLinks } = blobs
  const listDeps = { findEvent, uploads, createReadLinks, createPreviewLinks, clock }
  const changeDeps = { findEvent, uploads, clock, metrics: uploadMetrics }
  const findGallery = makeFindGallery({ findEvent, clock })

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
    findEvent,
    findOwnEvent: makeFindOwnEvent(findEvent),
    createUploads,
    createTickets,
    completeUploads,
    resumeUploads,
    listEventUploads: makeListEventUploads(listDeps),
    listMyEventUploads: makeListMyEventUploads(listDeps),
    getEventCover: makeGetEventCover(listDeps),
    deleteUpload: makeDeleteUpload(changeDeps),
    deleteMyUpload: makeDeleteMyUpload(changeDeps),
    setUploadsVisibility: makeSetUploadsVisibility(changeDeps),
    setMyUploadsVisibility: makeSetMyUploadsVisibility(changeDeps),
    listGuestUploads: makeListGuestUploads(listDeps),
    deleteGuestUpload: makeDeleteGuestUpload(changeDeps),
    listGallery: makeListGallery({ ...listDeps, findGallery }),
    listWall: makeListWall({ ...listDeps, findWall: makeFindWall({ findEvent, events }) }),
    reportUpload: makeReportUpload({
      findGallery,
      uploads,
      limits: guestLimits.reports,
      metrics: uploadMetrics,
      logger,
    }),
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
    verifyToken: createJwksTokenVerifier(config, clock),
    logger,
    metrics,
    health,
  })
  return listen(app, health)
}
