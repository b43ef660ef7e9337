import { serviceRoutes } from '@confetti/contracts'
import { defineConsumer, newMessage, runUnderLease, startMessaging } from '@confetti/messaging'
import {
  connectMongo,
  connectRedis,
  createHealth,
  createJwksTokenVerifier,
  createService,
  createServiceApp,
  fetchEventCopy,
  pingMongo,
  runPeriodically,
  toEventCopy,
  type Host,
  type RunningService,
} from '@confetti/service-kit'
import { createArchiveLinks, createArchives } from './archives/archives.ts'
import { createChecksums } from './archives/checksums.ts'
import { createArchiveMetrics, createDownload } from './archives/download.ts'
import { archiveRoutes } from './archives/routes.ts'
import { type Config, MEMORY_OVERHEAD_BYTES, ORPHAN_AGE_FACTOR } from './config.ts'
import { createEraseEvent, createEraseUncompleted } from './erasure/erase-event.ts'
import { createSweep } from './erasure/sweep.ts'
import { createEvents } from './events.ts'
import { createGallery } from './gallery/gallery.ts'
import { galleryRoutes } from './gallery/routes.ts'
import { createLibrary } from './library/library.ts'
import { libraryRoutes } from './library/routes.ts'
import { processingConsumers } from './processing/consumers.ts'
import { createResults } from './processing/results.ts'
import { createOverdue } from './processing/overdue.ts'
import { createFormSlots } from './sending/form/form-slots.ts'
import { createGuestLimits } from './sending/guest-limits.ts'
import { sendingRoutes } from './sending/routes.ts'
import { createSending } from './sending/sending.ts'
import { ensureDatabaseId, openStores } from './storage/open-stores.ts'
import { openBlobStorage } from './storage/open-blob-storage.ts'
import { createUploadStore } from './storage/upload-store.ts'
import { createUploadMetrics } from './upload-metrics.ts'

/** A rendition takes longer than a thumbnail, and more of them wait. */
const RENDITION_TIMEOUT_FACTOR = 2

/** Starts the service with its connections, and resolves when it listens. */
export const startUploads = async (config: Config, host: Host): Promise<RunningService> => {
  const { logger, metrics: registry, lifecycle, listen } = await createService('uploads', config, host)
  const { clock } = host
  const formSlots = createFormSlots(
    config.MEMORY_LIMIT_BYTES - MEMORY_OVERHEAD_BYTES,
    config.ADMISSION_TIMEOUT_MS,
  )
  const metrics = createUploadMetrics(registry, formSlots)
  const common = { clock, metrics, logger }

  const connection = await connectMongo(config.MONGO_URL, logger)
  lifecycle.onClose('mongo', () => connection.close())
  const stores = await openStores(connection, clock)
  const { archives, erasedIds, erasedTags } = stores
  const processingTimeoutMs = config.PROCESSING_TIMEOUT_MS
  const renditionTimeoutMs = RENDITION_TIMEOUT_FACTOR * processingTimeoutMs
  const uploads = createUploadStore({
    model: stores.uploadModel,
    processingTimeoutMs,
    renditionTimeoutMs,
    clock,
    // The relay is created below, as its consumers need this store.
    relay: {
      wakeRelay: () => relay.wakeRelay(),
      publishLeased: (claim) => relay.publishLeased(claim),
    },
  })
  const { blobs, directBlobs, archiveBlobs } = await openBlobStorage(config, {
    clock,
    metrics: registry,
    lifecycle,
    logger,
  })
  await blobs.prepare(config.SHELL_ORIGINS, await ensureDatabaseId(connection))

  const completableMs = config.ORPHAN_AGE_MS / ORPHAN_AGE_FACTOR
  const ticketLifeMs = Math.min(config.TICKET_LIFE_MS, completableMs)
  const overdue = createOverdue({
    ...common,
    uploads,
    processingTimeoutMs,
    renditionTimeoutMs,
    runAlone: (work) => runUnderLease(connection, 'lost messages', work),
  })
  const stopErasing = new AbortController()
  lifecycle.onDrain(() => stopErasing.abort(new Error('The service stops')))
  const eraseUncompleted = createEraseUncompleted({ uploads, blobs, ticketLifeMs, clock })
  const eraseEvent = createEraseEvent({
    events: stores.events,
    uploads,
    archives,
    blobs,
    erasedTags,
    eraseUncompleted,
    reportErased: (eventId) => relay.publish(newMessage('uploads.erased.v1', { eventId })),
    signal: stopErasing.signal,
    clock,
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
    consumers: [
      defineConsumer('uploads.event-created', ({ data }) => stores.events.save(toEventCopy(data))),
      defineConsumer('uploads.event-changed', ({ data }) => stores.events.save(toEventCopy(data))),
      // Several at once: each waits most of its time.
      defineConsumer('uploads.event-deleted', ({ data }) => eraseEvent(data._id), { prefetch: 4 }),
      ...processingConsumers({ results: createResults({ uploads, clock, logger }), overdue, uploads }),
    ],
    model: stores.uploadModel,
    metrics: registry,
    logger,
    lifecycle,
  })
  const sweep = createSweep({
    ...common,
    uploads,
    archives,
    erasedIds,
    erasedTags,
    eraseUncompleted,
    blobs,
    overdue,
    completableMs,
    orphanAgeMs: config.ORPHAN_AGE_MS,
    maxOrphans: config.SWEEP_ORPHANS_LIMIT,
  })
  lifecycle.onStop(
    'sweep',
    runPeriodically(sweep, { name: 'sweep', intervalMs: config.SWEEP_INTERVAL_MS, logger }),
  )

  const events = createEvents({
    events: stores.events,
    fetchEvent: (eventId) => fetchEventCopy(config.EVENTS_URL, eventId),
    clock,
  })
  const redis = connectRedis(config.REDIS_URL, { logger, metrics: registry, lifecycle })
  const guestLimits = createGuestLimits(config, { redis, ticketLifeMs })
  const links = createArchiveLinks(config.TICKET_SECRET)
  const handlers = {
    ...sendingRoutes(
      createSending(config, {
        ...common,
        uploads,
        events,
        directBlobs,
        blobs,
        formSlots,
        ticketLifeMs,
        guestLimits,
        // What cannot be published now is counted again soon.
        reportUsage: (eventId, { files, bytes }, countedAt) => {
          const message = newMessage('uploads.counted.v1', { eventId, files, bytes })
          void relay.publish({ ...message, time: countedAt.toISOString() }).catch(() => undefined)
        },
      }),
    ),
    ...libraryRoutes(createLibrary({ ...common, uploads, findEvent: events.find, links: blobs })),
    ...galleryRoutes(
      createGallery({
        ...common,
        uploads,
        findEvent: events.find,
        events: stores.events,
        createPreviewLinks: blobs.createPreviewLinks,
        limits: guestLimits.reports,
      }),
    ),
    ...archiveRoutes(
      createArchives({
        findEvent: events.find,
        uploads,
        archives,
        completeChecksums: createChecksums({ uploads, blobs: archiveBlobs, clock, logger }),
        links,
        linkLifeMs: config.ARCHIVE_LINK_LIFE_MS,
        clock,
      }),
      createDownload({
        archives,
        readOriginal: archiveBlobs.readOriginal,
        maxDownloads: config.MAX_ARCHIVE_DOWNLOADS,
        maxBytesPerSecond: config.ARCHIVE_BYTES_PER_SECOND,
        metrics: createArchiveMetrics(registry, config.MAX_ARCHIVE_DOWNLOADS),
        logger,
      }),
    ),
  }
  const health = createHealth({ mongo: pingMongo(connection), blob: blobs.check })
  const app = createServiceApp({
    routes: serviceRoutes.uploads,
    handlers,
    events,
    verifyToken: createJwksTokenVerifier(config, clock),
    maxJsonBytes: config.MAX_JSON_BYTES,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    logger,
    metrics: registry,
    health,
  })
  return listen(app, health)
}
