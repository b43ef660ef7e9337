import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

export type Theme = 'light' | 'dark'

// The minified source, because it is sent to every page: less than half as long as what the package exports.
const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

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
const commonOptions = {
  checks: { 'color-contrast': { options: contrastOptions } },
  // axe describes every element of the other results, which takes longer than the checks.
  resultTypes: ['violations', 'incomplete'],
}
const axeOptions = {
  all: commonOptions,
  // The rules whose results depend on the theme.
  colours: { ...commonOptions, runOnly: ['color-contrast', 'link-in-text-block'] },
}

/** Shows the page, whose theme is that of the system, in a theme. */
const showTheme = async (page: Page, theme: Theme): Promise<void> => {
  await page.emulateMedia({ colorScheme: theme })
  const otherTheme = theme === 'light' ? 'dark' : 'light'
  await page.waitForFunction(
    (other) =>
      // The page to unsubscribe has no class.
      !document.documentElement.classList.contains(other) &&
      // During an animation, axe would measure intermediate colours.
      document.getAnimations().every(({ playState }) => playState === 'finished' || playState === 'idle'),
    otherTheme,
  )
}

/** Loads axe into the page and turns transitions off, unless an earlier call has. */
const preparePage = async (page: Page): Promise<void> => {
  const isPrepared = await page.evaluate(() => {
    const styles = new CSSStyleSheet()
    styles.replaceSync('*, ::before, ::after { transition: none !important; }')
    document.adoptedStyleSheets = [styles]
    return 'axe' in window
  })
  if (!isPrepared) await page.evaluate(axeSource)
}

/** Returns the violations that axe finds on a page with the theme of the system, and the checks that ended with an error. */
export const findAxeViolations = async (
  page: Page,
  theme: Theme,
  rules: keyof typeof axeOptions = 'all',
): Promise<string[]> => {
  await preparePage(page)
  await showTheme(page, theme)
  const { violations, incomplete } = await page.evaluate<AxeResults>(
    `axe.run(${JSON.stringify(axeOptions[rules])})`,
  )
  const failed = incomplete.filter(({ nodes }) =>
    nodes.some(({ any, all, none }) => [...any, ...all, ...none].some(({ id }) => id === 'error-occurred')),
  )
  return [...violations, ...failed].flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  )
}
