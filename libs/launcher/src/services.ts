import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Generates an ES256 key pair and returns it as a private JWK. */
export const newSigningKey = () => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  kid: randomUUID(),
  alg: 'ES256',
  use: 'sig',
})

/** Creates a file with one signing key if it does not exist. */
export const ensureSigningKeys = (file: string): void => {
  if (existsSync(file)) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ keys: [newSigningKey()] }, undefined, 2), { mode: 0o600 })
}

/** Environment variables of a process. */
export type Environment = Readonly<Record<string, string>>

/** The addresses of the backends. */
export interface BackendAddresses {
  mongo: string
  rabbitmq: string
  redis: string
  blob: string
}

/** What a service's environment depends on. */
export interface ServiceContext {
  backends: BackendAddresses
  signingKeysFile: string
  /** Separates the databases, queues and containers of several systems on the same backends. */
  namespace: string
  /** The shell's address, for upload links and CORS. */
  shellUrl: string
  /** The address of a service that has been started before. */
  url: (name: ServiceName) => string
}

/** All services, in start order: each depends only on those before it. */
export const serviceNames = [
  'auth',
  'events',
  'uploads',
  'contact',
  'media',
  'notifications',
  'live',
  'gateway',
] as const
export type ServiceName = (typeof serviceNames)[number]

export type BackendName = keyof BackendAddresses

interface ServiceDefinition {
  /** Its folder in the repository. */
  folder: string
  /** The backends that it connects to. */
  backends: readonly BackendName[]
  /** The variables that it needs besides those of its backends. */
  environment: (context: ServiceContext) => Environment
}

/** The variables of a backend, for the service `name`. */
const backendVariables: Readonly<
  Record<BackendName, (context: ServiceContext, name: ServiceName) => Environment>
> = {
  mongo: ({ backends, namespace }, name) => ({ MONGO_URL: databaseUrl(backends.mongo, namespace, name) }),
  rabbitmq: ({ backends, namespace }) => ({
    RABBITMQ_URL: backends.rabbitmq,
    RABBITMQ_NAMESPACE: namespace,
  }),
  redis: ({ backends, namespace }) => ({ REDIS_URL: redisUrl(backends.redis, namespace) }),
  blob: ({ backends, namespace }) => ({ BLOB_CONNECTION_STRING: backends.blob, BLOB_CONTAINER: namespace }),
}

const tokenVerifier = ({ url }: ServiceContext): Environment => ({
  AUTH_JWKS_URL: `${url('auth')}/.well-known/jwks.json`,
})
const shellOrigins = ({ shellUrl }: ServiceContext): Environment => ({
  SHELL_ORIGINS: new URL(shellUrl).origin,
})

/**
 * The launcher, the tests, the ops checks and the scripts read this list. CONTRIBUTING.md lists what else a
 * new service needs.
 */
export const services: Readonly<Record<ServiceName, ServiceDefinition>> = {
  auth: {
    folder: 'services/auth',
    backends: ['mongo', 'rabbitmq', 'redis'],
    environment: ({ signingKeysFile, shellUrl }) => ({
      SIGNING_KEYS_FILE: signingKeysFile,
      SHELL_URL: shellUrl,
    }),
  },
  events: {
    folder: 'services/events',
    backends: ['mongo', 'rabbitmq'],
    environment: (context) => ({
      ...tokenVerifier(context),
      AUTH_URL: context.url('auth'),
      SHELL_URL: context.shellUrl,
    }),
  },
  uploads: {
    folder: 'services/uploads',
    backends: ['mongo', 'rabbitmq', 'redis', 'blob'],
    environment: (context) => ({
      ...tokenVerifier(context),
      ...shellOrigins(context),
      EVENTS_URL: context.url('events'),
      SHELL_URL: context.shellUrl,
      TICKET_SECRET: `upload tickets of ${context.namespace}, on one machine`,
    }),
  },
  contact: { folder: 'services/contact', backends: ['mongo', 'rabbitmq'], environment: tokenVerifier },
  media: { folder: 'services/media', backends: ['mongo', 'rabbitmq', 'blob'], environment: () => ({}) },
  notifications: {
    folder: 'services/notifications',
    backends: ['mongo', 'rabbitmq'],
    environment: ({ shellUrl, namespace, url }) => ({
      AUTH_URL: url('auth'),
      EVENTS_URL: url('events'),
      SHELL_URL: shellUrl,
      API_URL: shellUrl,
      UNSUBSCRIBE_SECRET: `links in mails of ${namespace}, on one machine`,
    }),
  },
  live: {
    folder: 'services/live',
    backends: ['rabbitmq'],
    environment: (context) => ({ ...tokenVerifier(context), EVENTS_URL: context.url('events') }),
  },
  gateway: {
    folder: 'gateway',
    backends: ['redis'],
    environment: (context) => ({
      ...shellOrigins(context),
      AUTH_URL: context.url('auth'),
      EVENTS_URL: context.url('events'),
      UPLOADS_URL: context.url('uploads'),
      CONTACT_URL: context.url('contact'),
      NOTIFICATIONS_URL: context.url('notifications'),
      LIVE_URL: context.url('live'),
      GUEST_TOKEN_SECRET: `guest tokens of ${context.namespace}, on one machine`,
    }),
  },
}

/** The services that have a database. */
export const servicesWithDatabase = serviceNames.filter((name) => services[name].backends.includes('mongo'))

/** The connection string of a service's database on the server at `mongo`. */
export const databaseUrl = (mongo: string, namespace: string, name: ServiceName): string => {
  const url = new URL(mongo)
  url.pathname = `/${namespace}-${name}`
  return url.href
}

/** The address of the keys of a system on the server at `redis`. */
export const redisUrl = (redis: string, namespace: string): string => {
  const url = new URL(redis)
  url.pathname = '/0'
  url.searchParams.set('keyPrefix', `${namespace}:`)
  return url.href
}

/**
 * Returns all variables that a service needs to run on this machine. Ports are not set, so it uses free ones.
 */
export const environmentOf = (name: ServiceName, context: ServiceContext): Environment => {
  const { backends, environment } = services[name]
  return {
    HOST: '127.0.0.1',
    SHUTDOWN_DELAY_MS: '0',
    SHUTDOWN_GRACE_MS: '20000',
    ...Object.fromEntries(
      backends.flatMap((backend) => Object.entries(backendVariables[backend](context, name))),
    ),
    ...environment(context),
  }
}
