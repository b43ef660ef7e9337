import type { Locator, Page } from 'playwright-core'

const FURTHEST = 80

/** Whether an element has the focus, and is marked for it: itself, what holds it, or what stands for it. */
const focusOn = (target: Locator): Promise<'elsewhere' | 'unseen' | 'seen'> =>
  target.evaluate((element) => {
    if (element !== document.activeElement) return 'elsewhere'
    const marked = [element, element.parentElement, element.nextElementSibling].some((part) => {
      const { outlineStyle, outlineWidth } = part ? getComputedStyle(part) : {}
      return outlineStyle !== undefined && outlineStyle !== 'none' && outlineWidth !== '0px'
    })
    return marked ? 'seen' : 'unseen'
  })

/** Presses Tab until the focus is on `target`. Fails where it does not get there, or where it cannot be seen. */
export const tabTo = async (page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> => {
  await target.waitFor()
  for (let presses = 0; presses <= FURTHEST; presses += 1) {
    const focus = await focusOn(target)
    if (focus === 'seen') return
    if (focus === 'unseen') throw new Error(`The focus on ${String(target)} cannot be seen.`)
    await page.keyboard.press(key)
  }
  throw new Error(`${key} does not lead to ${String(target)}.`)
}

/** Resolves when `target` has the focus, by itself. */
export const whenFocused = async (page: Page, target: Locator): Promise<void> => {
  await target.waitFor()
  await page.waitForFunction((element) => element === document.activeElement, await target.elementHandle())
}
