import { existsSync } from 'node:fs'
import { chromium, type Browser, type BrowserServer } from 'playwright-core'

const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

/**
 * The executable in the variable CHROMIUM, or the headless shell, or /usr/bin/chromium. Call it when the browser is needed:
 * `npm test` may install it after this file has been loaded.
 */
export const findExecutable = (): string =>
  process.env.CHROMIUM ?? (existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : '/usr/bin/chromium')

export const browserArguments = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
]

/** Starts Chromium. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: findExecutable(), args: browserArguments })

/** Starts Chromium for other processes, which connect to it. */
export const launchBrowserServer = (): Promise<BrowserServer> =>
  chromium.launchServer({ executablePath: findExecutable(), args: browserArguments })
