import { generateKeyPairSync } from 'node:crypto'
import { createCapabilities as createAuth } from '@confetti/auth/capabilities'
import { configSchema as authConfig } from '@confetti/auth/config'
import { readSigningKeys } from '@confetti/auth/sessions/signing-keys'
import { createCapabilities as createContact } from '@confetti/contact/capabilities'
import { configSchema as contactConfig } from '@confetti/contact/config'
import { createCapabilities as createEvents } from '@confetti/events/capabilities'
import { configSchema as eventsConfig } from '@confetti/events/config'
import { createCapabilities as createMedia } from '@confetti/media/capabilities'
import { configSchema as mediaConfig } from '@confetti/media/config'
import { createCapabilities as createNotifications } from '@confetti/notifications/capabilities'
import { configSchema as notificationsConfig } from '@confetti/notifications/config'
import type { BrokerOptions } from '@confetti/messaging'
import {
  createHealth,
  readConfig,
  runPeriodically,
  type Logger,
  type RateLimiter,
  type Service,
  type ServiceConfig,
} from '@confetti/service-kit'
import { createCapabilities as createUploads } from '@confetti/uploads/capabilities'
import { configSchema as uploadsConfig } from '@confetti/uploads/config'
import type { Connection } from 'mongoose'
import { Registry } from 'prom-client'
import type { z } from 'zod'
import type { MailServer } from './mail-server.ts'
import type { Scheduler } from './scheduler.ts'
import type { Storage } from './storage.ts'

const secret = 'a secret of the simulation, long enough'
const environment = {
  PORT: '0',
  METRICS_PORT: '0',
  MONGO_URL: 'mongodb://memory',
  RABBITMQ_URL: 'amqp://memory',
  REDIS_URL: 'redis://memory',
  BLOB_CONNECTION_STRING: 'memory',
  // What is never completed is removed within the days that an evening takes.
  ORPHAN_QUARANTINE_MS: '0',
  EVENTS_URL: 'http://events',
  AUTH_URL: 'http://auth',
  AUTH_JWKS_URL: 'http://auth/jwks',
  API_URL: 'http://api',
  SHELL_URL: 'http://shell',
  SHELL_ORIGINS: 'http://shell',
  SIGNING_KEYS_FILE: 'none',
  MAIL: 'on',
  SMTP_URL: 'smtp://memory',
  TICKET_SECRET: secret,
  UNSUBSCRIBE_SECRET: secret,
}

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const keys = readSigningKeys(
  JSON.stringify({ keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'key' }] }),
  undefined,
)

/** Limits are counted in Redis, and change nothing of what must hold. */
const endless: RateLimiter = {
  consume: () => Promise.resolve(),
  check: () => Promise.resolve(),
  remaining: () => Promise.resolve(Infinity),
  refund: () => Promise.resolve(),
}
const amounts = { files: endless, megabytes: endless }
const guestLimits = {
  archives: { guests: endless, withoutToken: endless, addresses: endless, pagesOfEvents: endless },
  renames: endless,
  reports: { guests: endless, addresses: endless },
  day: { guests: amounts, addresses: amounts },
  openTickets: { guests: amounts, addresses: amounts },
}
const limits = {
  signInsPerAccountAndAddress: endless,
  signInsPerAddress: endless,
  registrationsPerAddress: endless,
  resetsPerAddress: endless,
  resetsPerAccount: endless,
  passwordChangesPerAccount: endless,
}

/** Takes no time, as the real one does on other threads. */
const passwordHasher = {
  hash: (password: string) => Promise.resolve(`hash of ${password}`),
  verify: (password: string, hash: string | undefined) => Promise.resolve(hash === `hash of ${password}`),
}

export const serviceNames = ['auth', 'events', 'uploads', 'media', 'contact', 'notifications'] as const
export type ServiceName = (typeof serviceNames)[number]

/** How each service is started on servers in memory. */
export const createStarts = (
  { note, currentProcess }: Scheduler,
  {
    connectDatabase,
    broker,
    storage,
    mailServer,
  }: {
    connectDatabase: (name: ServiceName) => Connection
    broker: BrokerOptions
    storage: Storage
    mailServer: MailServer
  },
) => {
  const log = (level: string) => (fields: { err?: Error }, message?: string) => {
    const { err } = fields
    const cause = err && String(err.cause instanceof Error ? err.cause : err)
    note(`  ${currentProcess()?.name ?? ''} ${level}: ${message ?? ''}${cause ? ` (${cause})` : ''}`)
  }
  const logger = {
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
    debug: () => undefined,
  } as unknown as Logger

  const newService = <S extends z.ZodObject>(
    name: ServiceName,
    schema: S,
  ): Service<z.output<S> & ServiceConfig> => ({
    name,
    config: readConfig(schema, environment) as z.output<S> & ServiceConfig,
    clock: () => new Date(),
    logger,
    registry: new Registry(),
    // Simulated services die, and do not stop.
    lifecycle: {
      onDrain: () => undefined,
      onStop: () => undefined,
      onClose: () => undefined,
      shutDown: () => Promise.resolve(),
    },
    stopping: new AbortController().signal,
    health: createHealth(),
    runEvery: (intervalMs, task, work) => void runPeriodically(work, { name: task, intervalMs, logger }),
    listen: () => Promise.reject(new Error('A simulated service does not listen')),
  })
  const connect = (name: ServiceName) => ({ database: connectDatabase(name), broker })

  return {
    auth: () =>
      createAuth(newService('auth', authConfig), { ...connect('auth'), keys, passwordHasher, limits }),
    events: () => createEvents(newService('events', eventsConfig), connect('events')),
    uploads: () =>
      createUploads(newService('uploads', uploadsConfig), {
        ...connect('uploads'),
        blobs: storage.createUploadBlobs(logger),
        guestLimits,
      }),
    media: () =>
      createMedia(newService('media', mediaConfig), { ...connect('media'), ...storage.createMachine() }),
    contact: () => createContact(newService('contact', contactConfig), connect('contact')),
    notifications: () =>
      createNotifications(newService('notifications', notificationsConfig), {
        ...connect('notifications'),
        handOver: mailServer.handOver,
      }),
  } satisfies Record<ServiceName, () => Promise<unknown>>
}
type Starts = ReturnType<typeof createStarts>
export type Capabilities<Name extends ServiceName> = Awaited<ReturnType<Starts[Name]>>
