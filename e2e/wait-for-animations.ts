import type { Page } from 'playwright-core'

/** Waits until no element of a page moves or changes its colours. */
export const waitForAnimations = async (page: Page): Promise<void> => {
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState }) => playState === 'finished' || playState === 'idle'),
  )
}
