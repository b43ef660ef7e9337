import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

/** Starts Chromium: the executable in the variable CHROMIUM, or the headless shell, or /usr/bin/chromium. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath:
      process.env.CHROMIUM ?? (existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : '/usr/bin/chromium'),
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update'],
  })
