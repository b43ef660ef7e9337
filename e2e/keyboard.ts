import type { Locator, Page } from 'playwright-core'

const MAX_TAB_PRESSES = 80

/** Whether `target` has the focus, and whether an outline shows that: its own, its parent's or its next sibling's. */
const readFocusState = (target: Locator): Promise<'unfocused' | 'focused' | 'focused without outline'> =>
  target.evaluate((element) => {
    if (element !== document.activeElement) return 'unfocused'
    const hasOutline = [element, element.parentElement, element.nextElementSibling].some((part) => {
      const { outlineStyle, outlineWidth } = part ? getComputedStyle(part) : {}
      return outlineStyle !== undefined && outlineStyle !== 'none' && outlineWidth !== '0px'
    })
    return hasOutline ? 'focused' : 'focused without outline'
  })

/** Presses Tab until `target` has the focus. Throws if it does not get the focus, or if its focus is not visible. */
export const tabTo = async (page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> => {
  await target.waitFor()
  for (let presses = 0; presses <= MAX_TAB_PRESSES; presses += 1) {
    const state = await readFocusState(target)
    if (state === 'focused') return
    if (state === 'focused without outline')
      throw new Error(`${String(target)} has the focus, but no outline.`)
    await page.keyboard.press(key)
  }
  throw new Error(`${String(target)} cannot be reached with ${key}.`)
}

/** Waits until `target` has the focus, without pressing a key. */
export const waitForFocus = async (page: Page, target: Locator): Promise<void> => {
  await target.waitFor()
  await page.waitForFunction((element) => element === document.activeElement, await target.elementHandle())
}
