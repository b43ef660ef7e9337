import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch, type ElementHandle } from 'puppeteer-core'
import type { BrowserDriver } from './browser-driver.ts'

/** Starts Firefox: the executable in the variable FIREFOX, or /usr/bin/firefox-esr. */
export const launchFirefox = async (): Promise<BrowserDriver> => {
  const downloads = await mkdtemp(join(tmpdir(), 'confetti-firefox-'))
  const browser = await launch({
    browser: 'firefox',
    executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    headless: true,
    timeout: 120_000,
    defaultViewport: { width: 1280, height: 1000 },
    extraPrefsFirefox: {
      'browser.download.dir': downloads,
      // Saves downloads into the folder above.
      'browser.download.folderList': 2,
      // The panel would take the keys from the page.
      'browser.download.alwaysOpenPanel': false,
    },
  })
  const page = await browser.newPage()
  page.setDefaultNavigationTimeout(90_000)
  const wrap = (script: string): string => `(() => { ${script} })()`
  const find = async (script: string): Promise<ElementHandle> => {
    const element = (await page.evaluateHandle(wrap(script))).asElement()
    if (!element) throw new Error(`No element: ${script}`)
    return element as ElementHandle
  }
  return {
    open: async (url) => {
      await page.goto(url)
    },
    evaluate: (script) => page.evaluate(wrap(script)),
    click: async (script) => (await find(script)).click(),
    touch: async (script, paths) => {
      const box = await (await find(script)).boundingBox()
      const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2]
      for (const [[startX, startY] = [0, 0], ...points] of paths) {
        const finger = await page.touchscreen.touchStart(x + startX, y + startY)
        for (const [pointX, pointY] of points) await finger.move(x + pointX, y + pointY)
        await finger.end()
      }
    },
    type: async (script, text) => (await find(script)).type(text),
    press: (key) => page.keyboard.press(key),
    chooseFiles: async (script, paths) =>
      ((await find(script)) as ElementHandle<HTMLInputElement>).uploadFile(...paths),
    downloads,
    close: async () => {
      await browser.close()
      await rm(downloads, { recursive: true, force: true })
    },
  }
}
