import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensurePrograms, startBackends } from '@confetti/backends'
import {
  buildFrontends,
  ensureSigningKeys,
  startFrontends,
  startSystem,
  type Frontends,
} from '@confetti/launcher'
import type { Event } from '@confetti/contracts'
import { getBackendAddresses, namespace } from './backend-addresses.ts'
import { ensureBrowser } from './browser.ts'
import { ensureDemoData } from './demo-data.ts'
import { mediaTools } from './media-tools.ts'

export interface TemporarySystem {
  /** The shell's address. */
  url: string
  events: Event[]
  /** The URL of each remote. */
  remotes: Frontends['remotes']
  stop: () => Promise<void>
}

/** Starts the whole system with its demo data on free ports. `stop` also deletes its data. */
export const startTemporarySystem = async (report: (line: string) => void): Promise<TemporarySystem> => {
  const closers: (() => Promise<unknown>)[] = []
  const stop = async (): Promise<void> => {
    for (const close of closers.reverse()) await close()
  }
  try {
    const folder = await mkdtemp(join(tmpdir(), 'confetti-'))
    closers.push(() => rm(folder, { recursive: true, force: true }))
    await ensurePrograms(mediaTools, report)
    await ensureBrowser(report)
    const backends = await startBackends({ dataDir: join(folder, 'backends'), report })
    closers.push(() => backends.stop())
    await buildFrontends()
    let apiUrl = ''
    const frontends = await startFrontends({ apiUrl: () => apiUrl })
    closers.push(frontends.stop)
    const signingKeysFile = join(folder, 'keys.json')
    ensureSigningKeys(signingKeysFile)
    const system = await startSystem({
      backends: getBackendAddresses(backends),
      signingKeysFile,
      namespace,
      shellUrl: frontends.url,
    })
    closers.push(system.stop)
    apiUrl = system.url('gateway')
    return { url: frontends.url, events: await ensureDemoData(system), remotes: frontends.remotes, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
