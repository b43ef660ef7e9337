import { defineConsumer, startMessaging, type Connections, type Consumer } from '@confetti/messaging'
import type { Service } from '@confetti/service-kit'
import pLimit from 'p-limit'
import type { Config } from './config.ts'
import { createJobs, type Jobs, type Machine } from './jobs/jobs.ts'
import { createJobTimers } from './metrics.ts'
import { createJobModel, createJobStores } from './storage/job-store.ts'

/** The consumers of a worker with these tasks. */
const createConsumers = (jobs: Jobs, { config, registry }: Service<Config>): Consumer[] => {
  const { MEDIA_TASKS: tasks } = config
  const hasRenditions = config.VIDEO_RENDITIONS === 'on'
  const timed = createJobTimers(registry)
  // Copies have a queue of their own, so that new photos do not wait behind them, and share the memory of decodes with them.
  const limitDecodes = pLimit(config.MEDIA_CONCURRENCY)
  const previews = [
    defineConsumer(
      'media.upload-completed',
      ({ data }) => limitDecodes(() => timed.processing(jobs.process, data)),
      { prefetch: config.MEDIA_CONCURRENCY },
    ),
    defineConsumer('media.copy-requested', ({ data }) => limitDecodes(() => timed.copy(jobs.copy, data)), {
      prefetch: 1,
    }),
    defineConsumer('media.upload-deleted', ({ data }) => jobs.removeUpload(data.uploadId)),
  ]
  const renditions = defineConsumer(
    'media.rendition-requested',
    async ({ data }) => {
      // Where renditions are turned off, what still waits for one is dropped.
      if (hasRenditions) await timed.rendition(jobs.render, data)
    },
    { prefetch: config.RENDITION_CONCURRENCY },
  )
  return [
    ...(tasks.includes('previews') ? previews : []),
    // Where renditions are turned off, there may be no workers for them; uploads still requests those that are missing.
    ...(tasks.includes('renditions') || !hasRenditions ? [renditions] : []),
  ]
}

/** What the service is connected to, and the machine that it works on. */
type MediaConnections = Connections & Machine

/** Creates the worker, and starts its consumers, its outbox relay and its sweep. */
export const createCapabilities = async (
  service: Service<Config>,
  { database, broker, ...machine }: MediaConnections,
): Promise<void> => {
  const { config, clock } = service
  const model = createJobModel(database)
  await model.createIndexes()
  const stores = createJobStores(model, {
    hasRenditions: config.VIDEO_RENDITIONS === 'on',
    clock,
    // The relay is created below, as its consumers need these stores.
    wakeRelay: () => relay.wakeRelay(),
  })
  const jobs = createJobs({ ...service, ...stores, ...machine })
  const relay = startMessaging(service, {
    publishes: [
      'media.processed.v1',
      'media.failed.v1',
      'media.rendered.v1',
      'media.rendition-requested.v1',
      'media.copied.v1',
    ],
    consumers: createConsumers(jobs, service),
    model,
    broker,
  })
  service.runEvery(config.SWEEP_INTERVAL_MS, 'sweep', jobs.sweep)
}
