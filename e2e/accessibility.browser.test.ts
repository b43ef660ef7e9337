import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { screenStates, type ScreenState } from './screen-states.ts'
import { waitForScreen, type Screen } from './screen.ts'
import { screens } from './screens.ts'
import { accountFor, startSeededSite, type Persona, type SeededSite } from './seeded-site.ts'

const VIEWPORT_WIDTHS = [320, 768, 1280]
/** At this width, layouts have the elements of either the narrow or the wide one. */
const MIDDLE_WIDTH = 768

const themes = ['light', 'dark'] as const
type Theme = (typeof themes)[number]

let seededSite: SeededSite
beforeAll(async () => {
  seededSite = await startSeededSite()
})
afterAll(() => seededSite.site.stop())

const findScreen = ({ screenName }: ScreenState): Screen => {
  const screen = screens.find(({ name }) => name === screenName)
  if (!screen) throw new Error(`There is no screen named '${screenName}'.`)
  return screen
}

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

/** Returns the violations that axe finds, and the checks that ended with an error. */
const findAxeViolations = async (page: Page, theme: Theme): Promise<string[]> => {
  // During an animation, axe would measure intermediate colours.
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState }) => playState === 'finished' || playState === 'idle'),
  )
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

const findHorizontalOverflow = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth > clientWidth ? [`${scrollWidth} px wide`] : []
  })

const findProblems = async (page: Page, widths: readonly number[], theme: Theme): Promise<string[]> => {
  await page.evaluate(axe.source)
  const problems: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    await page.evaluate(
      () => new Promise((rendered) => requestAnimationFrame(() => requestAnimationFrame(rendered))),
    )
    const violations = width === MIDDLE_WIDTH ? [] : await findAxeViolations(page, theme)
    for (const problem of [...violations, ...(await findHorizontalOverflow(page))])
      problems.push(`${width} px: ${problem}`)
  }
  return problems
}

describe.each(themes)('In the %s theme,', (theme) => {
  const pages = new Map<Persona, Promise<Page>>()
  const pageFor = (persona: Persona): Promise<Page> => {
    const account = accountFor(seededSite, persona)
    const page =
      pages.get(persona) ??
      seededSite.site.newPage({ ...(account && { account }), theme, reducedMotion: 'reduce' })
    pages.set(persona, page)
    return page
  }
  const open = async (screen: Screen): Promise<Page> => {
    const page = await pageFor(screen.persona)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(screen.path(seededSite))
    await waitForScreen(page, screen, seededSite)
    return page
  }
  afterAll(async () => {
    for (const page of pages.values()) await (await page).context().close()
  })

  test.each(screens)(
    'when the $name is shown at any width, then it has no accessibility violations',
    async (screen) => {
      const page = await open(screen)
      expect(await findProblems(page, VIEWPORT_WIDTHS, theme)).toEqual([])
    },
  )

  test.each(screenStates)(
    'when the $name is shown at any width, then it has no accessibility violations',
    async (state) => {
      const { widths = VIEWPORT_WIDTHS } = state
      const page = await open(findScreen(state))
      await page.setViewportSize({ width: widths[0] ?? 320, height: 800 })
      await state.prepare(page)
      expect(await findProblems(page, widths, theme)).toEqual([])
    },
  )
})
