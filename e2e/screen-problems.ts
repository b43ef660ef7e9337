import type { Page } from 'playwright-core'
import { findAxeViolations, type Theme } from './axe.ts'
import { chooseLanguage, LANGUAGES } from './choose-language.ts'
import { findUnreadableTexts, lengthenTexts, setWidth, VIEWPORT_WIDTHS, type Width } from './text-layout.ts'

/**
 * How much is looked at: in `short`, axe in English once in each theme, and the layout of the other languages at the
 * narrowest width; in `matrix`, the layout of all languages at all widths, also with texts that are 40 % longer than the
 * English ones, and axe at both ends of them in both themes.
 */
export type Depth = 'short' | 'matrix'

/** With both themes at the narrow and at the wide layout: in the middle, a layout has the elements of either. */
const matrixThemes: Readonly<Record<Width, readonly Theme[]>> = {
  320: ['light', 'dark'],
  768: [],
  1280: ['dark', 'light'],
}

/**
 * The themes in which axe looks at a width: with all rules in the first one, and in the other one with those that depend on
 * colours, as nothing else depends on the theme. Each width starts with the theme in which the one before ended, which
 * saves a switch.
 */
const axeThemes = (depth: Depth, width: Width, widths: readonly Width[]): readonly Theme[] => {
  if (depth === 'matrix') return matrixThemes[width]
  return [
    ...(width === widths[0] ? (['light'] as const) : []),
    ...(width === widths.at(-1) ? (['dark'] as const) : []),
  ]
}

/** Returns the texts that cannot be read at a width, in the current theme: the layout of another one is the same. */
const findUnreadable = async (page: Page, width: Width): Promise<string[]> => {
  await setWidth(page, width)
  return (await findUnreadableTexts(page)).map((problem) => `${width} px: ${problem}`)
}

/** Makes the texts of a page 40 % longer for a moment, and returns those that cannot be read then. */
const findUnreadableIfLonger = async (page: Page, widths: readonly Width[]): Promise<string[]> => {
  const restoreTexts = await lengthenTexts(page)
  const problems: string[] = []
  // Begins with the width that the page has.
  for (const width of widths.toReversed()) problems.push(...(await findUnreadable(page, width)))
  await restoreTexts()
  return problems.map((problem) => `40 % longer, ${problem}`)
}

/** Returns the texts of a page in `language` that cannot be read, and what axe finds. */
export const findProblems = async (
  page: Page,
  language: string,
  depth: Depth,
  widths: readonly Width[] = VIEWPORT_WIDTHS,
): Promise<string[]> => {
  const problems: string[] = []
  const isWhole = depth === 'matrix' || language === 'en'
  for (const width of isWhole ? widths : widths.slice(0, 1)) {
    problems.push(...(await findUnreadable(page, width)))
    const themes = isWhole ? axeThemes(depth, width, widths) : []
    for (const [index, theme] of themes.entries()) {
      const violations = await findAxeViolations(page, theme, index === 0 ? 'all' : 'colours')
      problems.push(...violations.map((violation) => `${width} px, ${theme}: ${violation}`))
    }
  }
  // For axe, the elements are the same.
  if (depth === 'matrix' && language === 'en') problems.push(...(await findUnreadableIfLonger(page, widths)))
  return problems
}

interface Options {
  widths?: readonly Width[] | undefined
  /** Shows a notice again in each language, because it keeps the one before. */
  renew?: ((page: Page) => Promise<unknown>) | undefined
}

/** Returns the problems of a page in all languages. It is in English again then. */
export const findProblemsInAllLanguages = async (
  page: Page,
  depth: Depth,
  { widths, renew }: Options = {},
): Promise<string[]> => {
  const problems: string[] = []
  for (const language of LANGUAGES) {
    await chooseLanguage(page, language)
    await renew?.(page)
    problems.push(
      ...(await findProblems(page, language, depth, widths)).map((problem) => `${language}, ${problem}`),
    )
  }
  return problems
}
