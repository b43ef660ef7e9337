import { newEvent, newOrganiser, type Account } from '@confetti/test-kit'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core'
import { launchBrowser } from './browser.ts'
import type { People } from './harness.ts'
import type { SharedSite } from './shared-sites.ts'
import { startSiteServers, type SiteOptions, type SiteServers } from './site-servers.ts'

/** A running system with its frontends, people, and a browser. */
export interface Site extends People {
  frontends: { url: string; remotes: Readonly<Record<'public' | 'organiser' | 'admin', string>> }
  /** The URL of the storage account. */
  blobUrl: string
  browser: Browser
  /** Opens a page in a browser context of its own. */
  newPage: (options?: NewPageOptions) => Promise<Page>
  /** Closes the pages, and stops what was started for this site. */
  stop: () => Promise<void>
}

/** A site that only one test file uses. */
export type OwnSite = Site & SiteServers

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
    // Drawing animations takes processor time.
    reducedMotion: 'reduce',
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

/** Opens pages of the shell at `url`. `close` closes all of them. */
const createPages = (browser: Browser, url: string) => {
  const contexts: BrowserContext[] = []
  return {
    newPage: async (options?: NewPageOptions): Promise<Page> => {
      const context = await newContext(browser, url, options)
      contexts.push(context)
      // The test files share backends: a large upload of another file may hold them up.
      context.setDefaultTimeout(90_000)
      return context.newPage()
    },
    close: async (): Promise<void> => {
      await Promise.all(contexts.splice(0).map((context) => context.close()))
    },
  }
}

/** Starts system, frontends and browser, for tests that configure or break them. */
export const startSite = async (options: SiteOptions = {}): Promise<OwnSite> => {
  const servers = await startSiteServers(options)
  const browser = await launchBrowser()
  return {
    ...servers,
    browser,
    newPage: createPages(browser, servers.frontends.url).newPage,
    stop: async () => {
      await browser.close()
      await servers.stop()
    },
  }
}

/**
 * Joins the site that all test files of this Jest worker share, one after the other, with an organiser and an event of its
 * own. What other files have left is there, too. A test's first page closes those of the test before. Throws outside of
 * `npm test`.
 */
export const joinSite = async (): Promise<Site> => {
  const sites = JSON.parse(process.env.CONFETTI_TEST_SITES ?? '[]') as SharedSite[]
  // With fewer sites than workers, fewer files use them.
  const shared = sites[(Number(process.env.JEST_WORKER_ID) - 1) % sites.length]
  if (!shared)
    throw new Error('Run the tests with `npm test -- <path>`, which starts the site that they need.')
  const { api, admin, frontends, blobUrl, browserUrl } = shared
  const organiser = await newOrganiser(api)
  const event = await newEvent(api, admin, organiser)
  const browser = await chromium.connect(browserUrl)
  const pages = createPages(browser, frontends.url)
  // The package throws outside of Jest, and sites are started there, too.
  const { expect } = await import('@jest/globals')
  let testOfPages: string | undefined
  return {
    api,
    admin,
    organiser,
    event,
    frontends,
    blobUrl,
    browser,
    newPage: async (options) => {
      const { currentTestName } = expect.getState()
      // What earlier tests have left open goes on polling and drawing.
      if (currentTestName !== testOfPages) await pages.close()
      testOfPages = currentTestName
      return pages.newPage(options)
    },
    stop: async () => {
      await pages.close()
      await browser.close()
    },
  }
}
