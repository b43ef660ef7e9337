import { serviceRoutes } from '@confetti/contracts'
import { defineConsumer, runUnderLease, startMessaging } from '@confetti/messaging'
import {
  connectRedis,
  createJwksTokenVerifier,
  createService,
  createServiceApp,
  openDatabase,
  type Host,
  type RunningService,
} from '@confetti/service-kit'
import { createArchives } from './archives/archives.ts'
import { createDownload } from './archives/download.ts'
import { archiveRoutes } from './archives/routes.ts'
import { formMemoryBytes, type Config } from './config.ts'
import type { Deps } from './deps.ts'
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
import { openBlobStorage } from './storage/open-blob-storage.ts'
import { createUploadStore, ensureDatabaseId, openStores } from './storage/open-stores.ts'
import { createUploadMetrics } from './upload-metrics.ts'

/** Starts the service with its connections, and resolves when it listens. */
export const startUploads = async (config: Config, host: Host): Promise<RunningService> => {
  const service = await createService('uploads', config, host)
  const { clock, registry, lifecycle } = service
  const stopErasing = new AbortController()
  lifecycle.onDrain(() => stopErasing.abort(new Error('The service stops')))

  const connection = await openDatabase(service)
  const { uploadModel, stores } = await openStores(connection, clock)
  const blobs = await openBlobStorage(config, await ensureDatabaseId(connection), service)
  const formSlots = createFormSlots(formMemoryBytes(config), config.ADMISSION_TIMEOUT_MS)
  const deps: Deps = {
    ...service,
    ...stores,
    uploads: createUploadStore(
      uploadModel,
      // The relay is created below, as its consumers need these stores.
      { wakeRelay: () => relay.wakeRelay(), publishLeased: (claim) => relay.publishLeased(claim) },
      { config, clock },
    ),
    blobs,
    events: createEvents(stores.eventCopies, { config, clock }),
    formSlots,
    guestLimits: createGuestLimits(config, connectRedis(config.REDIS_URL, service)),
    publish: (message) => relay.publish(message),
    runAlone: (work) => runUnderLease(connection, 'lost messages', work),
    stopping: stopErasing.signal,
    metrics: createUploadMetrics(registry, formSlots),
  }

  const overdue = createOverdue(deps)
  const eraseUncompleted = createEraseUncompleted(deps)
  const eraseEvent = createEraseEvent(deps, eraseUncompleted)
  const relay = startMessaging(service, {
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
      defineConsumer('uploads.event-created', ({ data }) => stores.eventCopies.save(data)),
      defineConsumer('uploads.event-changed', ({ data }) => stores.eventCopies.save(data)),
      // Several at once: each waits most of its time.
      defineConsumer('uploads.event-deleted', ({ data }) => eraseEvent(data._id), { prefetch: 4 }),
      ...processingConsumers(deps, { results: createResults(deps), overdue }),
    ],
    model: uploadModel,
  })
  service.runEvery(config.SWEEP_INTERVAL_MS, 'sweep', createSweep(deps, { overdue, eraseUncompleted }))

  const app = createServiceApp(service, {
    routes: serviceRoutes.uploads,
    handlers: {
      ...sendingRoutes(createSending(deps)),
      ...libraryRoutes(createLibrary(deps)),
      ...galleryRoutes(createGallery(deps)),
      ...archiveRoutes(createArchives(deps), createDownload(deps)),
    },
    events: deps.events,
    verifyToken: createJwksTokenVerifier(config, clock),
    maxJsonBytes: config.MAX_JSON_BYTES,
  })
  return service.listen(app)
}
