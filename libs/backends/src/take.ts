import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Backend, BackendName, Options } from './backend.ts'
import type { Context, Kind, Plan } from './plan.ts'
import { runPlan } from './run-plan.ts'
import { blob } from './ways/blob.ts'
import { mongo } from './ways/mongo.ts'
import { rabbitmq } from './ways/rabbitmq.ts'
import { redis } from './ways/redis.ts'

const kinds: Record<BackendName, Kind> = { mongo, rabbitmq, redis, blob }

const environment = ({ env = process.env }: Options): NodeJS.ProcessEnv => env

/** The backend whose address is in the environment, if it is. */
export const takeGiven = (name: BackendName, options: Options): Backend | undefined => {
  const { title, variable } = kinds[name]
  const url = environment(options)[variable]
  if (!url) return undefined
  const refusal = () =>
    new Error(`${title} was given by ${variable}: it is not ours to start, stop or signal.`)
  options.report(`${title}: given by ${variable}`)
  return {
    name,
    url,
    origin: `given by ${variable}`,
    start: () => Promise.reject(refusal()),
    stop: () => Promise.reject(refusal()),
    signal: () => {
      throw refusal()
    },
  }
}

/** Starts a backend of our own, the first way that this machine allows. */
export const takeOwn = async (name: BackendName, options: Options): Promise<Backend> => {
  const { report, blobPort } = options
  const dataDir = resolve(options.dataDir)
  // Apart as a whole: blobs of one kind of run belong to the database of the same.
  const folder = wantsContainers() ? join(dataDir, 'docker', name) : join(dataDir, name)
  await mkdir(folder, { recursive: true })
  const context = { dataDir, folder, report, blobPort, env: environment(options) }
  const backend = await runPlan(name, await firstOpenWay(kinds[name], context), context)
  report(`${kinds[name].title}: ${backend.origin}`)
  return backend
}

const firstOpenWay = async ({ title, ways, docker, advice }: Kind, context: Context): Promise<Plan> => {
  if (wantsContainers()) {
    const found = await docker(context)
    if (typeof found === 'string')
      throw new Error(`CONFETTI_BACKENDS=docker asks for containers alone: ${found}.`)
    return found
  }
  const reasons: string[] = []
  for (const way of ways) {
    const found = await way(context)
    if (typeof found !== 'string') return found
    reasons.push(found)
  }
  throw new Error(`${title} cannot be had here: ${reasons.join('; ')}. ${advice}`)
}

// Of the process, not of the options: who asks for containers wants them in a test's own backends, too.
const wantsContainers = (): boolean => {
  const { CONFETTI_BACKENDS: asked } = process.env
  if (asked && asked !== 'docker')
    throw new Error(`CONFETTI_BACKENDS is "${asked}". It may be "docker", or not set.`)
  return asked === 'docker'
}
