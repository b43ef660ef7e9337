import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startBackends } from '@confetti/backends'
import {
  ensureSigningKeys,
  startSystem,
  type ServiceName,
  type BackendAddresses,
  type System,
  type SystemOptions,
} from '@confetti/launcher'
import { getBackendAddresses } from '../../scripts/backend-addresses.ts'
import { backendCommands, findChildProcesses, residentBytes, type ProcessGroups } from './processes.ts'

/** A whole system on backends of its own. Its media workers are stopped. */
export interface BenchSystem {
  system: System
  admin: { email: string; password: string }
  backendProcesses: ProcessGroups
  backends: BackendAddresses
  namespace: string
  /** Resident memory of a service before the first request. */
  idleBytes: (name: 'gateway' | 'uploads') => number
  stop: () => Promise<void>
}

/** Of its databases, queues and containers. */
const NAMESPACE = 'bench'

const profilingEnvironment = (folder: string) =>
  Object.fromEntries(
    (['gateway', 'uploads', 'media'] as const).map((name) => [
      name,
      { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${resolve(folder)}/${name}` },
    ]),
  )

/** Starts a system. With `profiles`, a folder, gateway, uploads and media write CPU profiles there when they stop. */
export const startBenchSystem = async ({
  profiles,
  replicas = {},
  environment,
  shellUrl = 'http://localhost:3000',
  bundled = false,
}: {
  profiles?: string | undefined
  replicas?: SystemOptions['replicas']
  environment?: SystemOptions['environment']
  shellUrl?: string
  /** Runs services from bundles, as images do. */
  bundled?: boolean
}): Promise<BenchSystem> => {
  const folder = await mkdtemp(join(tmpdir(), 'confetti-bench-'))
  const backends = await startBackends({ dataDir: join(folder, 'backends'), report: () => undefined })
  const addresses = getBackendAddresses(backends)
  const signingKeysFile = join(folder, 'keys.json')
  ensureSigningKeys(signingKeysFile)
  const system = await startSystem({
    backends: addresses,
    signingKeysFile,
    namespace: NAMESPACE,
    shellUrl,
    replicas,
    bundled,
    environment: { ...environment, ...(profiles && profilingEnvironment(profiles)) },
  })
  // Scenarios start the media workers when they need them.
  await Promise.all(system.replicas('media').map((worker) => worker.stop()))
  const admin = { email: 'admin@confetti.test', password: randomBytes(9).toString('base64') }
  await system.run('auth', 'src/create-admin.ts', [admin.email], { ADMIN_PASSWORD: admin.password })
  const currentBytes = (name: ServiceName): number =>
    residentBytes(system.replicas(name).map((service) => service.pid()))
  const idleBytes = { gateway: currentBytes('gateway'), uploads: currentBytes('uploads') }
  return {
    system,
    admin,
    backends: addresses,
    namespace: NAMESPACE,
    backendProcesses: findChildProcesses(backendCommands),
    idleBytes: (name) => idleBytes[name],
    stop: async () => {
      await system.stop()
      await backends.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
