import { serviceNames } from '@confetti/launcher'
import type { Account } from '@confetti/test-kit'
import { launchBrowserServer } from './browser.ts'
import { startSiteServers } from './site-servers.ts'
import type { Site } from './site.ts'

/** What a test needs to join a site that another process has started. */
export interface SharedSite extends Pick<Site, 'api' | 'frontends' | 'blobUrl'> {
  admin: Account
  /** The WebSocket address of the browser. */
  browserUrl: string
}

/** Starts a site for each of `count` Jest workers, which their test files share. `stop` stops all of them. */
export const startSharedSites = async (
  count: number,
): Promise<{ sites: readonly SharedSite[]; stop: () => Promise<void> }> => {
  const started = await Promise.all(
    Array.from({ length: count }, async () => {
      const servers = await startSiteServers({ processes: serviceNames })
      return { servers, browser: await launchBrowserServer() }
    }),
  )
  return {
    sites: started.map(({ servers: { api, admin, frontends, blobUrl }, browser }) => ({
      api,
      admin,
      frontends: { url: frontends.url, remotes: frontends.remotes },
      blobUrl,
      browserUrl: browser.wsEndpoint(),
    })),
    stop: async () => {
      for (const { servers, browser } of started) {
        await browser.close()
        await servers.stop()
      }
    },
  }
}
