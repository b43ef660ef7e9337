import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { screenStates, type ScreenState } from './screen-states.ts'
import { waitForScreen, type Screen } from './screen.ts'
import { screens } from './screens.ts'
import { accountFor, startSeededSite, type Persona, type SeededSite } from './seeded-site.ts'

const VIEWPORT_WIDTHS = [320, 768, 1280]

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
const axeScript = `axe.run({ checks: { 'color-contrast': { options: ${JSON.stringify(contrastOptions)} } } })`

/** Returns the violations that axe finds, and the checks that ended with an error. */
const findAxeViolations = async (page: Page): Promise<string[]> => {
  // During an animation, axe would measure intermediate colours.
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState }) => playState === 'finished' || playState === 'idle'),
  )
  const { violations, incomplete } = await page.evaluate<AxeResults>(axeScript)
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

const findProblems = async (page: Page, widths: readonly number[]): Promise<string[]> => {
  await page.evaluate(axe.source)
  const problems: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    await page.evaluate(
      () => new Promise((rendered) => requestAnimationFrame(() => requestAnimationFrame(rendered))),
    )
    for (const problem of [...(await findAxeViolations(page)), ...(await findHorizontalOverflow(page))])
      problems.push(`${width} px: ${problem}`)
  }
  return problems
}

describe.each(['light', 'dark'] as const)('In the %s theme,', (theme) => {
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
      expect(await findProblems(page, VIEWPORT_WIDTHS)).toEqual([])
    },
  )

  test.each(screenStates)(
    'when the $name is shown at any width, then it has no accessibility violations',
    async (state) => {
      const { widths = VIEWPORT_WIDTHS } = state
      const page = await open(findScreen(state))
      await page.setViewportSize({ width: widths[0] ?? 320, height: 800 })
      await state.prepare(page)
      expect(await findProblems(page, widths)).toEqual([])
    },
  )
})
