import type { Account } from '@confetti/test-kit'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { startSiteServers, type SiteOptions, type SiteServers } from './site-servers.ts'

/** The servers of a site, and a browser. */
export interface Site extends SiteServers {
  browser: Browser
  /** Opens a page in a browser context of its own. */
  newPage: (options?: NewPageOptions) => Promise<Page>
}

export interface NewPageOptions extends BrowserContextOptions {
  /** The account that is signed in from the start. */
  account?: Account
  theme?: 'light' | 'dark' | 'system'
}

/** Returns what the frontends keep in local storage for a signed-in account and a chosen theme. */
const localStorageFor = ({ account, theme }: NewPageOptions): Record<string, string> => ({
  ...(account && {
    accessToken: account.token,
    refreshToken: account.refreshToken,
    user: JSON.stringify(account.user),
  }),
  ...(theme && { 'ui-theme': theme }),
})

const newContext = async (
  browser: Browser,
  baseURL: string,
  { account, theme, ...options }: NewPageOptions = {},
): Promise<BrowserContext> =>
  browser.newContext({
    baseURL,
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    // `page.route` does not see the requests that a service worker answers.
    serviceWorkers: 'block',
    ...options,
    storageState: {
      cookies: [],
      origins: [
        {
          origin: new URL(baseURL).origin,
          localStorage: Object.entries(
            localStorageFor({ ...(account && { account }), ...(theme && { theme }) }),
          ).map(([name, value]) => ({ name, value })),
        },
      ],
    },
  })

/** Starts system, frontends and browser. */
export const startSite = async (options: SiteOptions = {}): Promise<Site> => {
  const servers = await startSiteServers(options)
  const browser = await launchBrowser()
  return {
    ...servers,
    browser,
    newPage: async (pageOptions) => {
      const context = await newContext(browser, servers.frontends.url, pageOptions)
      // The test files share backends: a large upload of another file may hold them up.
      context.setDefaultTimeout(90_000)
      return context.newPage()
    },
    stop: async () => {
      await browser.close()
      await servers.stop()
    },
  }
}
