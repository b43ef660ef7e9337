import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { allocatePort } from '@confetti/backends'
import { eventually } from '@confetti/test-kit'
import { Builder, Key, type WebElement } from 'selenium-webdriver'
import type { BrowserDriver } from './browser-driver.ts'

const keys = { ArrowDown: Key.ARROW_DOWN, Enter: Key.ENTER, Escape: Key.ESCAPE, Tab: Key.TAB }

/** Creates a home folder with a folder for downloads. */
const createHome = async (): Promise<{ home: string; downloads: string }> => {
  const home = await mkdtemp(join(tmpdir(), 'confetti-webkit-'))
  const downloads = join(home, 'Downloads')
  await mkdir(downloads)
  await mkdir(join(home, '.config'))
  await writeFile(join(home, '.config/user-dirs.dirs'), 'XDG_DOWNLOAD_DIR="$HOME/Downloads"\n')
  return { home, downloads }
}

/** Starts an X server without a screen on a free display. */
const startXServer = async (): Promise<{ xServer: ChildProcess; display: string }> => {
  const xServer = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const [number] = (await once(xServer.stdio[3] as Readable, 'data')) as [Buffer]
  return { xServer, display: `:${number.toString().trim()}` }
}

const startWebDriver = async (
  home: string,
  display: string,
): Promise<{ webDriver: ChildProcess; url: string }> => {
  const port = await allocatePort()
  const webDriver = spawn('WebKitWebDriver', [`--port=${port}`], {
    stdio: 'ignore',
    env: {
      ...process.env,
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      DISPLAY: display,
      // Containers have neither the namespaces for the sandbox nor a GPU.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
    },
  })
  const url = `http://127.0.0.1:${port}`
  await eventually(
    () =>
      fetch(`${url}/status`).then(
        ({ ok }) => ok,
        () => false,
      ),
    'WebKitWebDriver',
  )
  return { webDriver, url }
}

const stop = async (child: ChildProcess): Promise<void> => {
  const exited = once(child, 'exit')
  if (child.kill()) await exited
}

/** Starts WebKitGTK's MiniBrowser, which has the engine of Safari. */
export const launchWebKit = async (): Promise<BrowserDriver> => {
  const { home, downloads } = await createHome()
  const { xServer, display } = await startXServer()
  const { webDriver, url } = await startWebDriver(home, display)
  const session = await new Builder()
    .usingServer(url)
    .withCapabilities({ browserName: 'MiniBrowser' })
    .build()
  await session.manage().window().setRect({ x: 0, y: 0, width: 1280, height: 1000 })
  const find = async (script: string): Promise<WebElement> => {
    const element = await session.executeScript<WebElement | null>(script)
    if (!element) throw new Error(`No element: ${script}`)
    return element
  }
  return {
    open: (address) => session.get(address),
    evaluate: (script) => session.executeScript(script),
    click: async (script) => {
      const element = await find(script)
      // The driver does not scroll to what is below the window, and says that it cannot be clicked.
      await session.executeScript(
        "arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })",
        element,
      )
      await element.click()
    },
    touch: async (script, paths) => {
      // The driver has no finger, and moves the mouse instead.
      await session.executeScript(
        `const [element, paths] = arguments
        const { left, top, width, height } = element.getBoundingClientRect()
        const dispatch = (type, [x, y]) =>
          element.dispatchEvent(new PointerEvent(type, {
            bubbles: true, pointerType: 'touch', pointerId: 2,
            clientX: left + width / 2 + x, clientY: top + height / 2 + y,
          }))
        for (const path of paths) {
          dispatch('pointerdown', path[0])
          for (const point of path) dispatch('pointermove', point)
          dispatch('pointerup', path.at(-1))
        }`,
        await find(script),
        paths,
      )
    },
    type: async (script, text) => (await find(script)).sendKeys(text),
    press: (key) => session.actions().sendKeys(keys[key]).perform(),
    chooseFiles: async (script, paths) => (await find(script)).sendKeys(paths.join('\n')),
    downloads,
    close: async () => {
      await stop(webDriver)
      // The browser ends with its X server, also if it hangs.
      await stop(xServer)
      await rm(home, { recursive: true, force: true })
    },
  }
}
