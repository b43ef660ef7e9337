import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBackend, type Backend, type BackendName } from '@confetti/backends'
import type { BackendAddresses } from '@confetti/launcher'
import { testBackends } from '@confetti/test-kit'
import { startStand, type Stand } from '../stand.ts'

type StandOptions = NonNullable<Parameters<typeof startStand>[0]>

interface Options extends Omit<StandOptions, 'backends'> {
  /** Backends of this stand alone, which its scenarios may stop, kill and freeze. */
  own?: readonly BackendName[]
  /** Where some of them keep their data, if that matters. */
  dataDirs?: Partial<Record<BackendName, string>>
  /** Puts something between the services and their backends: other addresses for some of these. */
  through?: (addresses: BackendAddresses) => Promise<Partial<BackendAddresses>>
}

export interface FaultStand extends Stand {
  /** One of those that are this stand's own. */
  backend: (name: BackendName) => Backend
  /** Ends the system and then its own backends, whatever state they are in. */
  stop: () => Promise<void>
}

/** A stand as in `../stand.ts`, some of whose backends may be broken without harm to others. */
export const startFaultStand = async ({
  own = [],
  dataDirs = {},
  through,
  ...options
}: Options = {}): Promise<FaultStand> => {
  const folder = await mkdtemp(join(tmpdir(), 'confetti-faults-'))
  const backends = new Map<BackendName, Backend>()
  const stopBackends = async (): Promise<void> => {
    for (const backend of backends.values()) await backend.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    for (const name of own)
      backends.set(
        name,
        await startBackend(name, {
          dataDir: dataDirs[name] ?? join(folder, name),
          report: () => undefined,
          // The broker asks `df` for the room on its disk.
          env: { PATH: process.env.PATH },
        }),
      )
    const owned = Object.fromEntries([...backends].map(([name, { url }]) => [name, url]))
    const addresses = { ...testBackends(), ...owned }
    const stand = await startStand({
      ...options,
      backends: { ...addresses, ...(await through?.(addresses)) },
    })
    return {
      ...stand,
      backend: (name) => {
        const backend = backends.get(name)
        if (!backend) throw new Error(`${name} is not this stand's own`)
        return backend
      },
      stop: async () => {
        // One that a failed scenario left frozen would hold up the services' goodbye.
        for (const backend of backends.values()) backend.signal('SIGCONT')
        await stand.system.stop()
        await stopBackends()
      },
    }
  } catch (error) {
    await stopBackends()
    throw error
  }
}
