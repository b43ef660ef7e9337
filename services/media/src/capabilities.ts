import { startMessaging, type BrokerOptions } from '@confetti/messaging'
import type { Service } from '@confetti/service-kit'
import type { Connection } from 'mongoose'
import type { Config } from './config.ts'
import { createConsumers } from './jobs/consumers.ts'
import { createJobs, type Machine } from './jobs/jobs.ts'
import { createJobModel, createJobStores } from './storage/job-store.ts'

/** What the service is connected to, and the machine that it works on. */
export interface Connections extends Machine {
  database: Connection
  /** How to reach the broker, if not by amqplib. */
  broker?: BrokerOptions
}

/** Creates the worker, and starts its consumers, its outbox relay and its sweep. */
export const createCapabilities = async (
  service: Service<Config>,
  { database, broker, ...machine }: Connections,
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
