import type { Tool } from '@confetti/backends'

/** The browser for tests, screenshots and measurements. */
export const browserTool: Tool = { program: 'chromium', debianPackage: 'chromium' }

/** Firefox and WebKit for the journeys in e2e/browsers. WebKit needs an X server. */
export const otherBrowserTools: readonly Tool[] = [
  { program: process.env.FIREFOX ?? 'firefox-esr', debianPackage: 'firefox-esr' },
  { program: 'WebKitWebDriver', debianPackage: 'webkit2gtk-driver' },
  { program: 'Xvfb', debianPackage: 'xvfb' },
]
