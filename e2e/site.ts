import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBackend } from '@confetti/backends'
import { startFrontends, type Frontends, type FrontendsOptions } from '@confetti/launcher'
import type { Account } from '@confetti/test-kit'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { startStand, type Stand } from './stand.ts'

/** The whole product: services, the four frontends as they are shipped, and a browser to use them. */
export interface Site extends Stand {
  frontends: Frontends
  browser: Browser
  /** A new visitor with storage of its own; `as` is who is signed in, before the first page. */
  visit: (options?: Visit) => Promise<Page>
  stop: () => Promise<void>
}

export interface Visit extends BrowserContextOptions {
  as?: Account
  theme?: 'light' | 'dark' | 'system'
}

/** What a browser stores for somebody who has signed in. */
const storageOf = ({ as, theme }: Visit): Record<string, string> => ({
  ...(as && { accessToken: as.token, refreshToken: as.refreshToken, user: JSON.stringify(as.user) }),
  ...(theme && { 'ui-theme': theme }),
})

const openVisit = async (
  browser: Browser,
  baseURL: string,
  { as, theme, ...options }: Visit = {},
): Promise<BrowserContext> =>
  browser.newContext({
    baseURL,
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    ...options,
    storageState: {
      cookies: [],
      origins: [
        {
          origin: new URL(baseURL).origin,
          localStorage: Object.entries(storageOf({ ...(as && { as }), ...(theme && { theme }) })).map(
            ([name, value]) => ({ name, value }),
          ),
        },
      ],
    },
  })

/** Starts it all; `frontends` says which remotes stand elsewhere. */
export const startSite = async ({
  frontends: frontendsOptions = {},
  ...options
}: Parameters<typeof startStand>[0] & {
  frontends?: Omit<FrontendsOptions, 'apiUrl'>
} = {}): Promise<Site> => {
  let api = ''
  const frontends = await startFrontends({ ...frontendsOptions, apiUrl: () => api })
  // Which pages may read blobs is set for a whole storage account: each site has its own.
  const folder = await mkdtemp(join(tmpdir(), 'confetti-site-'))
  const blob = await startBackend('blob', { dataDir: folder, report: () => undefined })
  const stand = await startStand({ ...options, shellUrl: frontends.url, backends: { blob: blob.url } })
  api = stand.api
  const browser = await launchBrowser()
  return {
    ...stand,
    frontends,
    browser,
    visit: async (visit) => {
      const context = await openVisit(browser, frontends.url, visit)
      context.setDefaultTimeout(30_000)
      return context.newPage()
    },
    stop: async () => {
      await browser.close()
      await frontends.stop()
      await stand.system.stop()
      await blob.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
