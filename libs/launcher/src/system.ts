import { startLoadBalancer, type LoadBalancer } from './load-balancer.ts'
import {
  runCommand,
  startInProcess,
  startService,
  type ServiceProcess,
  type StartInProcess,
} from './service-process.ts'
import {
  environmentOf,
  serviceNames,
  type Environment,
  type ServiceContext,
  type ServiceName,
} from './services.ts'

export interface SystemOptions extends Omit<ServiceContext, 'url'> {
  /** The services to start; all of them by default. */
  services?: readonly ServiceName[]
  replicas?: Partial<Record<ServiceName, number>>
  environment?: Partial<Record<ServiceName, Environment>>
  onLine?: (service: ServiceName, line: string) => void
  /** Runs the bundles in `dist`, as images do, instead of the sources. */
  bundled?: boolean
  /** The services that run in this process. All replicas of a service do, or none. */
  inProcess?: Partial<Record<ServiceName, StartInProcess>>
}

export interface System {
  /** The URL of a service, or of the load balancer in front of its replicas. */
  url: (name: ServiceName) => string
  replicas: (name: ServiceName) => readonly ServiceProcess[]
  /** The variables with which a service of this system starts. */
  environment: (name: ServiceName) => Environment
  /**
   * Runs one of a service's commands with the service's own environment. Resolves with its standard output.
   */
  run: (name: ServiceName, script: string, args: readonly string[], extra?: Environment) => Promise<string>
  stop: () => Promise<void>
}

/** Starts the services as processes with each other's addresses. Stops all of them if one fails to start. */
export const startSystem = async (options: SystemOptions): Promise<System> => {
  const running = new Map<ServiceName, ServiceProcess[]>()
  const balancers = new Map<ServiceName, LoadBalancer>()

  const url = (name: ServiceName): string => {
    const address = balancers.get(name)?.url ?? running.get(name)?.[0]?.url
    if (!address) throw new Error(`${name} is not running in this system`)
    return address
  }
  const environmentFor = (name: ServiceName): Environment => ({
    ...environmentOf(name, { ...options, url }),
    ...options.environment?.[name],
  })
  const stop = async (): Promise<void> => {
    // Stops the gateway first, so that no new requests arrive while the other services finish theirs.
    for (const name of serviceNames.toReversed())
      await Promise.all(running.get(name)?.map((service) => service.stop()) ?? [])
    await Promise.all([...balancers.values()].map((balancer) => balancer.close()))
  }

  try {
    for (const name of serviceNames) {
      if (options.services && !options.services.includes(name)) continue
      const environment = environmentFor(name)
      const count = options.replicas?.[name] ?? 1
      const onLine = (line: string): void => options.onLine?.(name, line)
      const services: ServiceProcess[] = []
      running.set(name, services)
      const start = options.inProcess?.[name]
      const program = options.bundled ? 'dist/main.js' : 'src/main.ts'
      for (let replica = 0; replica < count; replica += 1)
        services.push(
          start
            ? await startInProcess(name, start, environment, onLine)
            : await startService(name, environment, { program, onLine }),
        )
      if (count > 1) balancers.set(name, await startLoadBalancer(services.map((service) => service.url)))
    }
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url,
    replicas: (name) => running.get(name) ?? [],
    environment: environmentFor,
    run: (name, script, args, extra) => runCommand(name, script, args, { ...environmentFor(name), ...extra }),
    stop,
  }
}
