import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  ensureSigningKeys,
  serviceNames,
  startSystem,
  type BackendAddresses,
  type ServiceName,
  type System,
  type SystemOptions,
} from '@confetti/launcher'
import type { Clock } from '@confetti/service-kit'
import { inProcess } from './in-process.ts'
import { deleteTopology } from './queues.ts'
import { recordWarning } from './warnings.ts'

/** Returns the addresses of the backends that `npm test` started. Throws outside of `npm test`. */
export const testBackends = (): BackendAddresses => {
  const addresses = process.env.CONFETTI_TEST_BACKENDS
  if (!addresses)
    throw new Error('Run the tests with `npm test -- <path>`, which starts the backends that they need.')
  return JSON.parse(addresses) as BackendAddresses
}

/**
 * The tests' Redis, for services that wait for it as long as it takes. After 250 ms, the default, they would count in
 * memory, from zero; a busy machine may take longer.
 */
export const patientRedis = (): string => {
  const url = new URL(testBackends().redis)
  // ioredis has no limit unless it is a number.
  url.searchParams.set('commandTimeout', 'none')
  return url.href
}

export interface TestSystem extends System {
  namespace: string
  backends: BackendAddresses
  /** The log lines of the services, newest last. */
  log: string[]
}

type TestSystemOptions = Pick<SystemOptions, 'services' | 'replicas' | 'environment' | 'bundled'> & {
  /** The services that run in processes of their own, because the process is what is tested; all of them if bundled. */
  processes?: readonly ServiceName[]
  /** The time of the services that run in this process. */
  clock?: Clock
  shellUrl?: string
  backends?: Partial<BackendAddresses>
}

/** Starts a system in this process, with databases, queues and blobs that no other test uses. */
export const startTestSystem = async ({
  processes = [],
  clock,
  ...options
}: TestSystemOptions = {}): Promise<TestSystem> => {
  const namespace = `t${randomBytes(6).toString('hex')}`
  const backends = { ...testBackends(), redis: patientRedis(), ...options.backends }
  const folder = await mkdtemp(join(tmpdir(), 'confetti-test-'))
  const signingKeysFile = join(folder, 'keys.json')
  ensureSigningKeys(signingKeysFile)
  const log: string[] = []
  const inTestProcess = (options.bundled ? [] : serviceNames).filter((name) => !processes.includes(name))
  // Beside the other tests, a decoder of low priority would take many times as long.
  const media = { DECODER_PRIORITY: 'normal', ...options.environment?.media }
  const system = await startSystem({
    shellUrl: 'http://localhost:3000',
    ...options,
    environment: { ...options.environment, media },
    inProcess: Object.fromEntries(inTestProcess.map((name) => [name, inProcess(name, clock)])),
    backends,
    namespace,
    signingKeysFile,
    onLine: (service, line) => {
      log.push(line)
      recordWarning(service, line)
      if (process.env.CONFETTI_TEST_LOG) console.error(service, line)
    },
  })
  return {
    ...system,
    namespace,
    backends,
    log,
    stop: async () => {
      await system.stop()
      await deleteTopology(testBackends().rabbitmq, namespace)
      await rm(folder, { recursive: true })
    },
  }
}
