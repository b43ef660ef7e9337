import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startBackends } from '@confetti/backends'
import { ensureSigningKeys, startSystem, type ServiceName, type System } from '@confetti/launcher'
import { addressesOf } from '../../scripts/places.ts'
import { backendPrograms, programsOfOurs, residentBytes, type Watched } from './processes.ts'

/** A whole system on backends of its own, for one scenario. */
export interface Stage {
  system: System
  admin: { email: string; password: string }
  /** The backends' processes. */
  backendProcesses: Watched
  /** Resident memory of a service before anybody came. */
  idleBytes: (name: 'gateway' | 'uploads') => number
  stop: () => Promise<void>
}

const profiled = (folder: string) =>
  Object.fromEntries(
    (['gateway', 'uploads', 'media'] as const).map((name) => [
      name,
      { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${resolve(folder)}/${name}` },
    ]),
  )

/** With `profiles`, a folder, each service leaves a profile of its processor time there when it ends. */
export const startStage = async ({ profiles }: { profiles?: string | undefined }): Promise<Stage> => {
  const folder = await mkdtemp(join(tmpdir(), 'confetti-bench-'))
  const backends = await startBackends({ dataDir: join(folder, 'backends'), report: () => undefined })
  const addresses = addressesOf(backends)
  const signingKeysFile = join(folder, 'keys.json')
  ensureSigningKeys(signingKeysFile)
  const system = await startSystem({
    backends: addresses,
    signingKeysFile,
    namespace: 'bench',
    shellUrl: 'http://localhost:3000',
    ...(profiles && { environment: profiled(profiles) }),
  })
  // At work only where a scenario says so.
  await Promise.all(system.replicas('media').map((worker) => worker.stop()))
  const admin = { email: 'admin@confetti.test', password: randomBytes(9).toString('base64') }
  await system.run('auth', 'src/create-admin.ts', [admin.email], { ADMIN_PASSWORD: admin.password })
  const residentNow = (name: ServiceName): number =>
    residentBytes(system.replicas(name).map((service) => service.pid()))
  const idle = { gateway: residentNow('gateway'), uploads: residentNow('uploads') }
  return {
    system,
    admin,
    backendProcesses: programsOfOurs(backendPrograms),
    idleBytes: (name) => idle[name],
    stop: async () => {
      await system.stop()
      await backends.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
