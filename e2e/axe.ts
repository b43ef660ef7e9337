import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { waitForAnimations } from './wait-for-animations.ts'

type Theme = 'light' | 'dark'

// The defaults of axe, except `ignorePseudo`: pseudo-elements draw confetti behind cards, and axe would not check the
// text on these cards.
const contrastOptions = {
  ignoreUnicode: true,
  ignoreLength: false,
  boldValue: 700,
  boldTextPt: 14,
  largeTextPt: 18,
  contrastRatio: { normal: { expected: 4.5 }, large: { expected: 3 } },
  pseudoSizeThreshold: 0.25,
  shadowOutlineEmMax: 0.2,
  textStrokeEmMin: 0.03,
  ignorePseudo: true,
}
const axeOptions = {
  light: { checks: { 'color-contrast': { options: contrastOptions } } },
  // Only colours depend on the theme.
  dark: { checks: { 'color-contrast': { options: contrastOptions } }, runOnly: ['color-contrast'] },
}

/** Shows the page, whose theme is that of the system, in a theme. */
const showTheme = async (page: Page, theme: Theme): Promise<void> => {
  await page.evaluate(() => {
    const styles = new CSSStyleSheet()
    styles.replaceSync('*, ::before, ::after { transition: none !important; }')
    document.adoptedStyleSheets = [styles]
  })
  await page.emulateMedia({ colorScheme: theme })
  await page.waitForFunction((name) => document.documentElement.classList.contains(name), theme)
}

/**
 * Returns the violations that axe finds on a page with the theme of the system, and the checks that ended with an error.
 * In the dark theme, only colours.
 */
export const findAxeViolations = async (page: Page, theme: Theme): Promise<string[]> => {
  await showTheme(page, theme)
  // During an animation, axe would measure intermediate colours.
  await waitForAnimations(page)
  await page.evaluate(axe.source)
  const { violations, incomplete } = await page.evaluate<AxeResults>(
    `axe.run(${JSON.stringify(axeOptions[theme])})`,
  )
  const failed = incomplete.filter(({ nodes }) =>
    nodes.some(({ any, all, none }) => [...any, ...all, ...none].some(({ id }) => id === 'error-occurred')),
  )
  return [...violations, ...failed].flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  )
}
