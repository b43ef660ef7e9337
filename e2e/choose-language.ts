import type { Page } from 'playwright-core'

/** Long words, right to left, another script, and English. */
export const LANGUAGES = ['de', 'ar', 'ja', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

/**
 * Switches the language of a page by its switch, which is hidden in some layouts and cannot be clicked behind a dialog.
 * What is open stays open.
 */
export const chooseLanguage = async (page: Page, language: Language): Promise<void> => {
  await page
    .locator('select:has(> option[lang=ar])')
    .first()
    .evaluate((element, value) => {
      const select = element as HTMLSelectElement
      select.value = value
      select.dispatchEvent(new Event('change', { bubbles: true }))
    }, language)
  await page.waitForFunction((chosen) => document.documentElement.lang === chosen, language)
}
