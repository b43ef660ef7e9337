import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eventually } from '@confetti/test-kit'
import pTimeout from 'p-timeout'
import type { BrowserDriver, Key, Point } from './browser-driver.ts'

const CALL_TIMEOUT_MS = 60_000
const WAIT_TIMEOUT_MS = 90_000

type Name = string | RegExp
/** How users find an element: by its role and name, its label, or its text. */
export type Locator = ({ role: string; name?: Name } | { label: Name } | { text: Name }) & {
  within?: Locator
}

const queries = await readFile(
  fileURLToPath(import.meta.resolve('@testing-library/dom/dist/@testing-library/dom.umd.min.js')),
  'utf8',
)

const toScript = (name: Name): string => (typeof name === 'string' ? JSON.stringify(name) : String(name))

/** Returns the expression of the first element that matches the locator; it is undefined if there is none. */
const toExpression = (locator: Locator): string => {
  const root = locator.within
    ? `(${toExpression(locator.within)} ?? document.createElement('p'))`
    : 'document.body'
  const query = (by: string, ...args: string[]): string =>
    `TestingLibraryDom.queryAllBy${by}(${[root, ...args].join(', ')})[0]`
  if ('label' in locator) return query('LabelText', toScript(locator.label))
  if ('text' in locator) return query('Text', toScript(locator.text))
  const options = locator.name === undefined ? '{}' : `{ name: ${toScript(locator.name)} }`
  return query('Role', JSON.stringify(locator.role), options)
}

/** A page as its user sees it. Each call waits for its element, and has a time limit. */
export const createPage = (driver: BrowserDriver) => {
  const limit = <T>(description: string, call: Promise<T>): Promise<T> =>
    pTimeout(call, {
      milliseconds: CALL_TIMEOUT_MS,
      message: `The browser did not answer within ${CALL_TIMEOUT_MS} ms: ${description}`,
    })

  const evaluate = async <T>(script: string): Promise<T> =>
    (await limit(script, driver.evaluate(script))) as T

  /** Waits for the element, and returns the script that finds it. */
  const find = async (locator: Locator, isExpected = true): Promise<string> => {
    const expression = toExpression(locator)
    await eventually(
      async () => {
        // In one call: the page may be loaded between two.
        const isFound = await evaluate<boolean | null>(
          `return 'TestingLibraryDom' in window ? Boolean(${expression}) : null`,
        )
        if (isFound === null) await evaluate(queries)
        return isFound === isExpected
      },
      `${isExpected ? '' : 'the absence of '}${expression}`,
      WAIT_TIMEOUT_MS,
    )
    return `return ${expression}`
  }

  return {
    open: (url: string): Promise<void> => limit(`open ${url}`, driver.open(url)),
    evaluate,
    waitFor: async (locator: Locator): Promise<void> => {
      await find(locator)
    },
    waitForAbsence: async (locator: Locator): Promise<void> => {
      await find(locator, false)
    },
    click: async (locator: Locator): Promise<void> => {
      const script = await find(locator)
      await limit(`click: ${script}`, driver.click(script))
    },
    touch: async (locator: Locator, ...paths: readonly (readonly Point[])[]): Promise<void> => {
      const script = await find(locator)
      await limit(`touch: ${script}`, driver.touch(script, paths))
    },
    type: async (locator: Locator, text: string): Promise<void> => {
      const script = await find(locator)
      await limit(`type: ${script}`, driver.type(script, text))
    },
    press: (key: Key): Promise<void> => limit(`press ${key}`, driver.press(key)),
    chooseFiles: async (locator: Locator, paths: readonly string[]): Promise<void> => {
      const script = await find(locator)
      await limit(`choose files: ${script}`, driver.chooseFiles(script, paths))
    },
    /** Safari does not focus a button that is clicked; WebKitGTK does. */
    imitateSafariClicks: (): Promise<void> =>
      evaluate(`document.addEventListener('mousedown', (event) => {
        if (!event.target.closest('button')) return
        event.preventDefault()
        document.activeElement.blur()
      }, true)`),
    /** Evaluates an expression in which `element` is the element of the locator. */
    read: async <T>(locator: Locator, expression: string): Promise<T> => {
      const script = await find(locator)
      return evaluate<T>(`const element = (() => { ${script} })(); return ${expression}`)
    },
    waitForFocus: async (locator: Locator): Promise<void> => {
      const expression = toExpression(locator)
      await find(locator)
      await eventually(
        () => evaluate<boolean>(`return document.activeElement === ${expression}`),
        `focus on ${expression}`,
        WAIT_TIMEOUT_MS,
      )
    },
    /** Waits until the browser has saved a download, and returns its bytes. */
    readDownload: (name: string): Promise<Buffer> =>
      eventually(async () => {
        const files = await readdir(driver.downloads)
        // Until then Firefox has a .part file beside an empty one with this name.
        const isSaved = files.includes(name) && !files.some((file) => file.endsWith('.part'))
        return isSaved && readFile(join(driver.downloads, name))
      }, `the download ${name}`),
    close: (): Promise<void> => limit('close', driver.close()),
  }
}

export type BrowserPage = ReturnType<typeof createPage>
