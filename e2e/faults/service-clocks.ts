import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serviceNames, type ServiceName, type System } from '@confetti/launcher'

export interface ServiceClocks {
  /** Environment variables by service, for a system whose clocks can be shifted. */
  environment: Partial<Record<ServiceName, Record<string, string>>>
  /** Restarts all replicas of a service with their clock shifted by `ms`; 0 is the true time. */
  shift: (system: Pick<System, 'replicas'>, service: ServiceName, ms: number) => Promise<void>
  remove: () => Promise<void>
}

/** Creates one clock for each service. All show the true time until they are shifted. */
export const createServiceClocks = async (): Promise<ServiceClocks> => {
  const folder = await mkdtemp(join(tmpdir(), 'confetti-clocks-'))
  const shiftFile = (service: ServiceName): string => join(folder, service)
  for (const service of serviceNames) await writeFile(shiftFile(service), '0')
  const preload = new URL('./shifted-clock.mjs', import.meta.url).href
  return {
    environment: Object.fromEntries(
      serviceNames.map((service) => [
        service,
        { NODE_OPTIONS: `--import=${preload}`, CLOCK_SHIFT_FILE: shiftFile(service) },
      ]),
    ),
    shift: async (system, service, ms) => {
      await writeFile(shiftFile(service), String(ms))
      for (const replica of system.replicas(service)) {
        await replica.stop()
        await replica.restart()
      }
    },
    remove: () => rm(folder, { recursive: true }),
  }
}
