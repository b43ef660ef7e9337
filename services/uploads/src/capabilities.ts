import type { EventCopy } from '@confetti/contracts'
import { defineConsumer, runUnderLease, startMessaging, type Connections } from '@confetti/messaging'
import { keepEventCopies, type Service } from '@confetti/service-kit'
import { createArchives } from './archives/archives.ts'
import { createDownload } from './archives/download.ts'
import { formMemoryBytes, type Config } from './config.ts'
import type { Deps } from './deps.ts'
import { createDeleteTakenBack, DELETION_INTERVAL_MS } from './erasure/delete-taken-back.ts'
import { createEraseEvent, createEraseUncompleted } from './erasure/erase-event.ts'
import { createSweep } from './erasure/sweep.ts'
import { createEvents } from './events.ts'
import { createFeed } from './feed/feed.ts'
import { createGallery } from './gallery/gallery.ts'
import { createLibrary } from './library/library.ts'
import { createOwnLinks } from './own-links/own-links.ts'
import { createCaptureTimes } from './processing/capture-times.ts'
import { createOverdue } from './processing/overdue.ts'
import { createProcessingConsumers } from './processing/results.ts'
import { createRestoredDatabase, MARK_INTERVAL_MS } from './recovery/restored-database.ts'
import { createFormSlots } from './sending/form/form-slots.ts'
import { createSending } from './sending/sending.ts'
import { createSlots } from './sending/slots.ts'
import { createUploadStore, openStores } from './storage/open-stores.ts'
import { createUploadMetrics } from './upload-metrics.ts'

/**
 * How many calls of guests who send straight to blob storage are worked on at once. Thousands of guests send at the same time;
 * without a bound, who looks at the gallery meanwhile would wait as long as they do. As many leave nothing idle: most of them
 * wait for the database or for blob storage.
 */
const MAX_SENDING_CALLS = 32

/** What the service is connected to. */
type UploadsConnections = Connections & Pick<Deps, 'blobs' | 'guestLimits'>

/** Creates the capabilities of the service, and starts its consumers, its outbox relay and its sweep. */
export const createCapabilities = async (
  service: Service<Config>,
  { database, blobs, guestLimits, broker }: UploadsConnections,
) => {
  const { config, clock, registry, lifecycle } = service
  const { uploadModel, stores } = await openStores(database, service)
  lifecycle.onClose('event totals', stores.eventTotals.close)
  const formSlots = createFormSlots(formMemoryBytes(config), config.ADMISSION_TIMEOUT_MS)
  const callSlots = createSlots(MAX_SENDING_CALLS, config.ADMISSION_TIMEOUT_MS)
  const deps: Deps = {
    ...service,
    ...stores,
    uploads: createUploadStore(
      uploadModel,
      // The relay is created below, as its consumers need these stores.
      { wakeRelay: () => relay.wakeRelay(), publishLeased: (claim) => relay.publishLeased(claim) },
      {
        config,
        clock,
        eventTotals: stores.eventTotals,
        onChanged: (eventId) => feed.noteChange(eventId),
      },
    ),
    blobs,
    events: createEvents(stores.eventCopies, { config, clock }),
    formSlots,
    callSlots,
    guestLimits,
    publish: (message) => relay.publish(message),
    runAlone: (name, work) => runUnderLease(database, name, work),
    metrics: createUploadMetrics(registry, { formSlots, callSlots }),
  }

  const overdue = createOverdue(deps)
  const captureTimes = createCaptureTimes(deps)
  const eraseUncompleted = createEraseUncompleted(deps)
  const eraseEvent = createEraseEvent(deps, eraseUncompleted)
  const restoredDatabase = createRestoredDatabase(deps)
  const saveChange = async (event: EventCopy): Promise<boolean> => {
    const isSaved = await stores.eventCopies.save(event)
    await captureTimes.refreshEvent(event._id)
    return isSaved
  }
  keepEventCopies(service, database, saveChange)
  const relay = startMessaging(service, {
    publishes: [
      'upload.completed.v1',
      'upload.changed.v1',
      'upload.deleted.v1',
      'uploads.counted.v1',
      'uploads.erased.v1',
      'event.erased.v1',
      'media.rendition-requested.v1',
      'media.copy-requested.v1',
      'audit.recorded.v1',
    ],
    consumers: [
      defineConsumer('uploads.event-created', ({ data }) => stores.eventCopies.save(data)),
      defineConsumer('uploads.event-changed', ({ data }) => saveChange(data)),
      // Several at once: each waits most of its time.
      defineConsumer('uploads.event-deleted', ({ data }) => eraseEvent(data._id), { prefetch: 4 }),
      ...createProcessingConsumers(deps, overdue),
    ],
    model: uploadModel,
    // A change that is written late has an earlier time than what pages have read: its message gives it a new one.
    getLateFields: () => ({ changedAt: clock() }),
    broker,
  })
  const markIntervalMs = Math.min(MARK_INTERVAL_MS, config.SWEEP_INTERVAL_MS)
  service.runEvery(markIntervalMs, 'high-water mark', restoredDatabase.advance)
  const deletionIntervalMs = Math.min(DELETION_INTERVAL_MS, config.SWEEP_INTERVAL_MS)
  service.runEvery(deletionIntervalMs, 'deletion', createDeleteTakenBack(deps, restoredDatabase))
  service.runEvery(
    config.SWEEP_INTERVAL_MS,
    'sweep',
    createSweep(deps, { overdue, captureTimes, eraseUncompleted, restoredDatabase }),
  )

  const feed = createFeed(deps)
  return {
    events: deps.events,
    sending: createSending(deps),
    library: createLibrary(deps, feed),
    gallery: createGallery(deps, feed),
    ownLinks: createOwnLinks(deps),
    archives: createArchives(deps),
    download: createDownload(deps),
  }
}
