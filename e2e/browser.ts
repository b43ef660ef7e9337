import { chromium, type Browser } from 'playwright-core'

/** Starts Chromium: the executable in the variable CHROMIUM, or /usr/bin/chromium. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update'],
  })
