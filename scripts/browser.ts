import { ensurePrograms, type Tool } from '@confetti/backends'

const headlessShell: Tool = { program: 'chromium-headless-shell', debianPackage: 'chromium-headless-shell' }
const chromium: Tool = { program: 'chromium', debianPackage: 'chromium' }

/**
 * Installs the browser for tests, screenshots and measurements, unless the variable CHROMIUM names one: Chromium without
 * its own windows, which takes a third of the processor time, or the whole of it where that cannot be installed.
 */
export const ensureBrowser = async (report: (line: string) => void): Promise<void> => {
  if (process.env.CHROMIUM) return
  const missing = await ensurePrograms([headlessShell], report)
  if (missing.length > 0) await ensurePrograms([chromium], report)
}

/** Firefox and WebKit for the journeys in e2e/browsers. WebKit needs an X server. */
export const otherBrowserTools: readonly Tool[] = [
  { program: process.env.FIREFOX ?? 'firefox-esr', debianPackage: 'firefox-esr' },
  { program: 'WebKitWebDriver', debianPackage: 'webkit2gtk-driver' },
  { program: 'Xvfb', debianPackage: 'xvfb' },
]
