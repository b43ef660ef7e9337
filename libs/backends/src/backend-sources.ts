import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type {
  Backend,
  BackendDefinition,
  BackendName,
  LaunchPlan,
  Options,
  ProviderContext,
} from './backend.ts'
import { blob } from './providers/blob.ts'
import { mongo } from './providers/mongo.ts'
import { rabbitmq } from './providers/rabbitmq.ts'
import { redis } from './providers/redis.ts'
import { createServer, PortInUseError, type Server } from './server.ts'

const definitions: Record<BackendName, BackendDefinition> = { mongo, rabbitmq, redis, blob }

const environment = ({ env = process.env }: Options): NodeJS.ProcessEnv => env

/** Returns the external server whose address is in the environment, or undefined if there is none. */
export const findExternalBackend = (name: BackendName, options: Options): Backend | undefined => {
  const { title, urlVariable } = definitions[name]
  const url = environment(options)[urlVariable]
  if (!url) return undefined
  const externalServerError = () =>
    new Error(`${title} is an external server (${urlVariable}) and cannot be started, stopped or signalled.`)
  const origin = `external server from ${urlVariable}`
  options.report(`${title}: ${origin}`)
  return {
    name,
    url,
    origin,
    start: () => Promise.reject(externalServerError()),
    stop: () => Promise.reject(externalServerError()),
    signal: () => {
      throw externalServerError()
    },
  }
}

const maxAttempts = 3

const startInOrder = async (servers: Server[]): Promise<void> => {
  for (const server of servers) await server.start()
}

const stopInReverse = async (servers: Server[]): Promise<void> => {
  for (const server of servers.toReversed()) await server.stop()
}

/**
 * Starts the servers of a plan. Tries up to three times, with new ports, while a port is in use. If a server
 * fails, stops the others and throws.
 */
const launchBackend = async (
  name: BackendName,
  plan: LaunchPlan,
  context: ProviderContext,
): Promise<Backend> => {
  for (let attempt = 1; ; attempt++) {
    const { url, servers: specs } = await plan.createSpec()
    const servers = specs.map((spec) => createServer(spec, context))
    try {
      await startInOrder(servers)
      return {
        name,
        url,
        origin: plan.origin,
        start: () => startInOrder(servers),
        stop: () => stopInReverse(servers),
        signal: (signal) => servers.at(-1)?.signal(signal),
      }
    } catch (error) {
      await stopInReverse(servers)
      if (!(error instanceof PortInUseError) || attempt === maxAttempts) throw error
    }
  }
}

/** Starts a private backend with the first provider that is available on this machine. Throws if none is. */
export const startOwnBackend = async (name: BackendName, options: Options): Promise<Backend> => {
  const { report, blobPort } = options
  const dataDir = resolve(options.dataDir)
  // All data of docker-only runs is separate: blobs belong to the database of the same mode.
  const backendDir = isDockerOnly() ? join(dataDir, 'docker', name) : join(dataDir, name)
  await mkdir(backendDir, { recursive: true })
  const context = { dataDir, backendDir, report, blobPort, env: environment(options) }
  const definition = definitions[name]
  const plan = await (isDockerOnly()
    ? requireDockerPlan(definition, context)
    : findAvailablePlan(definition, context))
  const backend = await launchBackend(name, plan, context)
  report(`${definition.title}: ${backend.origin}`)
  return backend
}

const requireDockerPlan = async (
  { dockerProvider }: BackendDefinition,
  context: ProviderContext,
): Promise<LaunchPlan> => {
  const plan = await dockerProvider(context)
  if (typeof plan === 'string') throw new Error(`CONFETTI_BACKENDS=docker requires Docker: ${plan}.`)
  return plan
}

const findAvailablePlan = async (
  { title, providers, installHint }: BackendDefinition,
  context: ProviderContext,
): Promise<LaunchPlan> => {
  const reasons: string[] = []
  for (const provider of providers) {
    const plan = await provider(context)
    if (typeof plan !== 'string') return plan
    reasons.push(plan)
  }
  throw new Error(`${title} is not available on this machine: ${reasons.join('; ')}. ${installHint}`)
}

// Reads process.env, not the options: the setting also applies to backends that a test starts with its own
// env.
const isDockerOnly = (): boolean => {
  const { CONFETTI_BACKENDS: mode } = process.env
  if (mode && mode !== 'docker')
    throw new Error(`CONFETTI_BACKENDS is "${mode}". Set it to "docker", or leave it unset.`)
  return mode === 'docker'
}
