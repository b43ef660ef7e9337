import { startBalancer, type Balancer } from './balancer.ts'
import {
  runCommand,
  startService,
  type Environment,
  type ServiceName,
  type ServiceProcess,
} from './service-process.ts'

/** Where the servers are that the services stand on. */
export interface BackendAddresses {
  mongo: string
  rabbitmq: string
  redis: string
  blob: string
}

export interface SystemOptions {
  backends: BackendAddresses
  signingKeysFile: string
  /** Keeps databases, queues and containers of several systems on the same backends apart. */
  namespace: string
  /** The shell's address, for upload links and CORS. */
  shellUrl: string
  /** Which services run; all of them unless named. */
  services?: readonly ServiceName[]
  replicas?: Partial<Record<ServiceName, number>>
  environment?: Partial<Record<ServiceName, Environment>>
  onLine?: (service: ServiceName, line: string) => void
}

export interface System {
  /** The address behind which a service's replicas stand. */
  url: (name: ServiceName) => string
  replicas: (name: ServiceName) => readonly ServiceProcess[]
  /** Runs one of a service's commands with the service's own environment; resolves with what it printed. */
  run: (name: ServiceName, script: string, args: readonly string[], extra?: Environment) => Promise<string>
  stop: () => Promise<void>
}

// Each needs only those before it, so that each can be told where they listen.
const startOrder: readonly ServiceName[] = ['auth', 'events', 'uploads', 'contact', 'media', 'gateway']

/** The address of a service's own database on the server at `mongo`. */
export const databaseUrl = (mongo: string, namespace: string, name: ServiceName): string => {
  const url = new URL(mongo)
  url.pathname = `/${namespace}-${name}`
  return url.href
}

const environmentOf = (
  name: ServiceName,
  { backends, namespace, signingKeysFile, shellUrl }: SystemOptions,
  url: (name: ServiceName) => string,
): Environment => {
  const data = {
    MONGO_URL: databaseUrl(backends.mongo, namespace, name),
    RABBITMQ_URL: backends.rabbitmq,
    RABBITMQ_NAMESPACE: namespace,
  }
  const redis = { REDIS_URL: `${backends.redis.replace(/\/$/, '')}/0?keyPrefix=${namespace}:` }
  const blob = { BLOB_CONNECTION_STRING: backends.blob, BLOB_CONTAINER: namespace }
  const common = { HOST: '127.0.0.1', SHUTDOWN_DELAY_MS: '0', SHUTDOWN_GRACE_MS: '20000' }
  const tokens = () => ({ AUTH_JWKS_URL: `${url('auth')}/.well-known/jwks.json` })
  switch (name) {
    case 'auth':
      return { ...common, ...data, ...redis, SIGNING_KEYS_FILE: signingKeysFile }
    case 'events':
      return { ...common, ...data, ...tokens(), AUTH_URL: url('auth'), SHELL_URL: shellUrl }
    case 'uploads':
      return {
        ...common,
        ...data,
        ...tokens(),
        ...blob,
        EVENTS_URL: url('events'),
        SHELL_ORIGINS: new URL(shellUrl).origin,
      }
    case 'contact':
      return { ...common, ...data, ...tokens() }
    case 'media':
      return { ...common, ...data, ...blob }
    case 'gateway':
      return {
        ...common,
        ...redis,
        AUTH_URL: url('auth'),
        EVENTS_URL: url('events'),
        UPLOADS_URL: url('uploads'),
        CONTACT_URL: url('contact'),
        SHELL_ORIGINS: new URL(shellUrl).origin,
        GUEST_TOKEN_SECRET: `guest tokens of ${namespace}, on one machine`,
      }
  }
}

/** Starts the services as processes, each told where the others are. Stops what it started if one fails. */
export const startSystem = async (options: SystemOptions): Promise<System> => {
  const running = new Map<ServiceName, ServiceProcess[]>()
  const balancers = new Map<ServiceName, Balancer>()

  const url = (name: ServiceName): string => {
    const address = balancers.get(name)?.url ?? running.get(name)?.[0]?.url
    if (!address) throw new Error(`${name} does not run in this system`)
    return address
  }
  const environmentFor = (name: ServiceName): Environment => ({
    ...environmentOf(name, options, url),
    ...options.environment?.[name],
  })
  const stop = async (): Promise<void> => {
    // The gateway first: no new work comes in while the others finish theirs.
    for (const name of startOrder.toReversed())
      await Promise.all(running.get(name)?.map((service) => service.stop()) ?? [])
    await Promise.all([...balancers.values()].map((balancer) => balancer.close()))
  }

  try {
    for (const name of startOrder) {
      if (options.services && !options.services.includes(name)) continue
      const environment = environmentFor(name)
      const count = options.replicas?.[name] ?? 1
      const onLine = (line: string): void => options.onLine?.(name, line)
      const services: ServiceProcess[] = []
      running.set(name, services)
      for (let replica = 0; replica < count; replica += 1)
        services.push(await startService(name, environment, onLine))
      if (count > 1) balancers.set(name, await startBalancer(services.map((service) => service.url)))
    }
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url,
    replicas: (name) => running.get(name) ?? [],
    run: (name, script, args, extra) => runCommand(name, script, args, { ...environmentFor(name), ...extra }),
    stop,
  }
}
