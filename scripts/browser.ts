import type { Tool } from '@confetti/backends'
import { chromium, type Browser } from 'playwright-core'

/** What the tests and the measurements drive. */
export const browserTool: Tool = { program: 'chromium', debianPackage: 'chromium' }

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update'],
  })
