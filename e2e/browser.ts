import { chromium, type Browser } from 'playwright-core'

/** The Chromium of this machine, or the program that CHROMIUM names. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update'],
  })
