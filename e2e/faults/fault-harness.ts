import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBackend, type Backend, type BackendName } from '@confetti/backends'
import { serviceNames, type BackendAddresses } from '@confetti/launcher'
import { testBackends } from '@confetti/test-kit'
import { startHarness, type Harness } from '../harness.ts'

type SystemOptions = NonNullable<Parameters<typeof startHarness>[0]>

interface Options extends Omit<SystemOptions, 'backends'> {
  /** Backends that no other test uses, so that scenarios may stop, kill and freeze them. */
  ownBackends?: readonly BackendName[]
  /** Data directories of own backends; a temporary folder unless given. */
  dataDirs?: Partial<Record<BackendName, string>>
  /** Starts proxies in front of backends. Resolves with the addresses that services use instead of these. */
  proxyBackends?: (addresses: BackendAddresses) => Promise<Partial<BackendAddresses>>
}

export interface FaultHarness extends Harness {
  /** Returns one of `ownBackends`. */
  backend: (name: BackendName) => Backend
  /** Stops the system, then its own backends, also if they are stopped or frozen. */
  stop: () => Promise<void>
}

/** Starts a system as in `../harness.ts`, with backends of its own that scenarios may break. */
export const startFaultHarness = async ({
  ownBackends = [],
  dataDirs = {},
  proxyBackends,
  ...options
}: Options = {}): Promise<FaultHarness> => {
  const folder = await mkdtemp(join(tmpdir(), 'confetti-faults-'))
  const backends = new Map<BackendName, Backend>()
  const stopBackends = async (): Promise<void> => {
    for (const backend of backends.values()) await backend.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    for (const name of ownBackends)
      backends.set(
        name,
        await startBackend(name, {
          dataDir: dataDirs[name] ?? join(folder, name),
          report: () => undefined,
          // RabbitMQ runs `df` to find out how much disk space is free.
          env: { PATH: process.env.PATH },
        }),
      )
    const ownAddresses = Object.fromEntries([...backends].map(([name, { url }]) => [name, url]))
    const addresses = { ...testBackends(), ...ownAddresses }
    const harness = await startHarness({
      processes: serviceNames,
      ...options,
      backends: { ...addresses, ...(await proxyBackends?.(addresses)) },
    })
    return {
      ...harness,
      backend: (name) => {
        const backend = backends.get(name)
        if (!backend) throw new Error(`${name} is not in ownBackends`)
        return backend
      },
      stop: async () => {
        // A failed scenario may leave a backend frozen, which would delay the shutdown of the services.
        for (const backend of backends.values()) backend.signal('SIGCONT')
        await harness.system.stop()
        await stopBackends()
      },
    }
  } catch (error) {
    await stopBackends()
    throw error
  }
}
