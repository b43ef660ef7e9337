import { buildFrontends, startFrontends } from '@confetti/launcher'
import { startBenchSystem, type BenchSystem } from './bench-system.ts'

export interface BenchSite extends BenchSystem {
  /** The base URL of the gateway. */
  api: string
  /** The shell's address. */
  url: string
}

/** Builds the frontends and starts them with a system. */
export const startBenchSite = async ({
  profiles,
}: { profiles?: string | undefined } = {}): Promise<BenchSite> => {
  await buildFrontends()
  let apiUrl = ''
  const frontends = await startFrontends({ apiUrl: () => apiUrl })
  const benchSystem = await startBenchSystem({ profiles, shellUrl: frontends.url })
  apiUrl = benchSystem.system.url('gateway')
  return {
    ...benchSystem,
    api: apiUrl,
    url: frontends.url,
    stop: async () => {
      await benchSystem.stop()
      await frontends.stop()
    },
  }
}
