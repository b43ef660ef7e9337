import { eventually } from '@confetti/test-kit'
import type { Locator, Page } from 'playwright-core'

export const toasts = (page: Page): Locator => page.getByRole('region', { name: /^Notifications/ })

/** Locates a toast by its exact text. A page shows one toast at a time. */
export const toast = (page: Page, text: string): Locator => toasts(page).getByText(text, { exact: true })

/**
 * Records all texts that an element shows from now on, however short. Returns a function that waits until it has shown a
 * text.
 */
export const recordTexts = async (element: Locator): Promise<(text: string) => Promise<unknown>> => {
  const recorded = await element.evaluateHandle((root) => {
    const texts = new Set<string>()
    new MutationObserver(() => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) texts.add(walker.currentNode.textContent ?? '')
    }).observe(root, { subtree: true, childList: true, characterData: true })
    return texts
  })
  return (text) =>
    eventually(() => recorded.evaluate((texts, wanted) => texts.has(wanted), text), `the text '${text}'`)
}
