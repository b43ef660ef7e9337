import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServiceName, System } from '@confetti/launcher'

const clockedServices: readonly ServiceName[] = ['auth', 'events', 'uploads', 'contact', 'media', 'gateway']

export interface Clocks {
  /** For a system whose services get their clocks from here. */
  environment: Partial<Record<ServiceName, Record<string, string>>>
  /** Starts a service anew with its clock off by so much. */
  shift: (system: Pick<System, 'replicas'>, service: ServiceName, ms: number) => Promise<void>
  remove: () => Promise<void>
}

/** Clocks, one for each service, that are right until they are shifted. */
export const makeClocks = async (): Promise<Clocks> => {
  const folder = await mkdtemp(join(tmpdir(), 'confetti-clocks-'))
  const fileOf = (service: ServiceName): string => join(folder, service)
  for (const service of clockedServices) await writeFile(fileOf(service), '0')
  const preload = new URL('./shifted-clock.mjs', import.meta.url).href
  return {
    environment: Object.fromEntries(
      clockedServices.map((service) => [
        service,
        { NODE_OPTIONS: `--import=${preload}`, CLOCK_SHIFT_FILE: fileOf(service) },
      ]),
    ),
    shift: async (system, service, ms) => {
      await writeFile(fileOf(service), String(ms))
      for (const replica of system.replicas(service)) {
        await replica.stop()
        await replica.restart()
      }
    },
    remove: () => rm(folder, { recursive: true }),
  }
}
