import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBackend } from '@confetti/backends'
import { startFrontends, type Frontends, type FrontendsOptions } from '@confetti/launcher'
import { getBlobEndpoint } from './blob-endpoint.ts'
import { startHarness, type Harness } from './harness.ts'

/** A harness with the four frontends as they are built for production. */
export interface SiteServers extends Harness {
  frontends: Frontends
  /** The URL of the storage account. */
  blobUrl: string
  stop: () => Promise<void>
}

export type SiteOptions = NonNullable<Parameters<typeof startHarness>[0]> & {
  /** Replaces remotes or the shell by other builds. */
  frontends?: Omit<FrontendsOptions, 'apiUrl'>
  /** Returns the URL at which the frontends reach the gateway, such as that of a proxy. */
  getApiUrl?: (gatewayUrl: string) => Promise<string>
  /** Returns the URL at which browsers reach blob storage, such as that of a proxy. */
  getBlobUrl?: (blobUrl: string) => Promise<string>
}

/** Starts system and frontends. */
export const startSiteServers = async ({
  frontends: frontendsOptions = {},
  getApiUrl = (gatewayUrl) => Promise.resolve(gatewayUrl),
  getBlobUrl = (blobUrl) => Promise.resolve(blobUrl),
  ...options
}: SiteOptions = {}): Promise<SiteServers> => {
  let apiUrl = ''
  const frontends = await startFrontends({
    ...frontendsOptions,
    apiUrl: () => apiUrl,
  })
  // CORS is configured for a whole storage account, so each site has its own.
  const folder = await mkdtemp(join(tmpdir(), 'confetti-site-'))
  const blob = await startBackend('blob', { dataDir: folder, report: () => undefined })
  const blobUrl = getBlobEndpoint(blob.url)
  const harness = await startHarness({
    ...options,
    shellUrl: frontends.url,
    backends: { blob: blob.url },
    environment: {
      ...options.environment,
      uploads: { BLOB_PUBLIC_URL: await getBlobUrl(blobUrl), ...options.environment?.uploads },
    },
  })
  apiUrl = await getApiUrl(harness.api)
  return {
    ...harness,
    frontends,
    blobUrl,
    stop: async () => {
      await frontends.stop()
      await harness.system.stop()
      await blob.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
