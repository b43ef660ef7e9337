import type { Page } from 'playwright-core'
import { waitForTitle } from './screen.ts'

/** Navigates with the shell's router, as a link does, without loading the document again. */
export const navigateInShell = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)

/**
 * Opens a path on a page. One that shows the site navigates with the router, which takes a third of the processor time of
 * loading everything again.
 */
export const openPath = async (page: Page, path: string): Promise<void> => {
  if (page.url() === 'about:blank') {
    await page.goto(path)
    return
  }
  // Nothing of the screen before is left, whatever it has in common with the next one.
  await navigateInShell(page, '/no-such-page')
  await waitForTitle(page, 'Page not found')
  await navigateInShell(page, path)
}
