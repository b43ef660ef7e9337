import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { findAxeViolations } from './axe.ts'
import { createPersonaPages } from './persona-pages.ts'
import { waitForScreen } from './screen.ts'
import { screens } from './screens.ts'
import { startSeededSite, type SeededSite } from './seeded-site.ts'
import { findUnreadableTexts, lengthenTexts, setWidth, VIEWPORT_WIDTHS } from './text-layout.ts'

// Long words, right to left, another script. The tests of accessibility look at the same screens in English.
const languages = ['de', 'ar', 'ja'] as const

let seededSite: SeededSite
beforeAll(async () => {
  seededSite = await startSeededSite()
})
afterAll(() => seededSite.site.stop())

const { pageFor } = createPersonaPages(() => seededSite)

/** Switches the language as a visitor does. The switch is on every page. */
const chooseLanguage = async (page: Page, tag: string): Promise<void> => {
  await page.locator('select:has(> option[lang=ar])').first().selectOption(tag)
  await page.waitForFunction((chosen) => document.documentElement.lang === chosen, tag)
}

const findUnreadableAtAnyWidth = async (page: Page): Promise<string[]> => {
  const problems: string[] = []
  for (const width of VIEWPORT_WIDTHS) {
    await setWidth(page, width)
    for (const problem of await findUnreadableTexts(page)) problems.push(`${width} px: ${problem}`)
  }
  return problems
}

test.each(screens)(
  'When the $name is shown in any language at any width, then all texts can be read, and it has no accessibility violations',
  async (screen) => {
    const page = await pageFor(screen.persona)
    await setWidth(page, 1280)
    await page.goto(screen.path(seededSite))
    await waitForScreen(page, screen, seededSite)
    const problems: Record<string, string[]> = {}
    for (const language of languages) {
      await chooseLanguage(page, language)
      problems[language] = await findUnreadableAtAnyWidth(page)
      problems[`${language}, axe`] = await findAxeViolations(page, 'light')
    }
    problems['dark theme, axe'] = await findAxeViolations(page, 'dark')
    await chooseLanguage(page, 'en')
    await lengthenTexts(page)
    problems['40 % longer'] = await findUnreadableAtAnyWidth(page)
    expect(problems).toEqual(Object.fromEntries(Object.keys(problems).map((key) => [key, []])))
  },
)
