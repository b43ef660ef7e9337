import { fileURLToPath } from 'node:url'
import { services, type ServiceName, type StartInProcess } from '@confetti/launcher'
import { readConfig, systemClock, type Clock, type Host, type RunningService } from '@confetti/service-kit'
import type { z } from 'zod'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Imports a file of a service. Not by its package: the services depend on this one. */
export const importOfService = async <T>(name: ServiceName, file: string): Promise<T> =>
  (await import(`${root}${services[name].folder}/src/${file}`)) as T

/**
 * Starts a service in the process of its tests. With a clock of the test's, what is measured in hours takes no time.
 */
export const inProcess =
  (name: ServiceName, clock: Clock = systemClock): StartInProcess =>
  async (environment, onLine) => {
    const { configSchema } = await importOfService<{ configSchema: z.ZodObject }>(name, 'config.ts')
    const started = await importOfService<
      Record<string, (config: unknown, host: Host) => Promise<RunningService>>
    >(name, 'start.ts')
    const [start] = Object.values(started)
    if (!start) throw new Error(`start.ts of ${name} exports nothing`)
    return start(readConfig(configSchema, environment), {
      clock,
      log: { write: (line) => onLine(line.trimEnd()) },
    })
  }
