import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { whenShown, type Screen } from './screen.ts'
import { screens } from './screens.ts'
import { accountOf, startUsedSite, type UsedSite, type Visitor } from './used-site.ts'
import { states, type State } from './screen-states.ts'

const WIDTHS = [320, 768, 1280]

let used: UsedSite
beforeAll(async () => {
  used = await startUsedSite()
}, 180_000)
afterAll(() => used.site.stop())

const screenOf = ({ on }: State): Screen => {
  const screen = screens.find(({ name }) => name === on)
  if (!screen) throw new Error(`There is no screen '${on}'.`)
  return screen
}

// Axe's own, but for the last: the confetti behind a card is drawn by pseudo-elements, and text on it is measured, too.
const contrast = {
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
const run = `axe.run({ checks: { 'color-contrast': { options: ${JSON.stringify(contrast)} } } })`

/** What axe has against the page as it stands, and where it has failed. */
const violationsOn = async (page: Page): Promise<string[]> => {
  // Colours that are on their way to others would be measured.
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState }) => playState === 'finished' || playState === 'idle'),
  )
  const { violations, incomplete } = await page.evaluate<AxeResults>(run)
  const failed = incomplete.filter(({ nodes }) =>
    nodes.some(({ any, all, none }) => [...any, ...all, ...none].some(({ id }) => id === 'error-occurred')),
  )
  return [...violations, ...failed].flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  )
}

const overflowOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth > clientWidth ? [`${scrollWidth} px wide`] : []
  })

const faultsOn = async (page: Page, widths: readonly number[]): Promise<string[]> => {
  await page.evaluate(axe.source)
  const faults: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    )
    for (const fault of [...(await violationsOn(page)), ...(await overflowOn(page))])
      faults.push(`${width} px: ${fault}`)
  }
  return faults
}

describe.each(['light', 'dark'] as const)('In the %s theme,', (theme) => {
  const pages = new Map<Visitor, Promise<Page>>()
  const pageOf = (visitor: Visitor): Promise<Page> => {
    const account = accountOf(used, visitor)
    const page =
      pages.get(visitor) ??
      used.site.visit({ ...(account && { as: account }), theme, reducedMotion: 'reduce' })
    pages.set(visitor, page)
    return page
  }
  const open = async (screen: Screen): Promise<Page> => {
    const page = await pageOf(screen.as)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(screen.path(used))
    await whenShown(page, screen, used)
    return page
  }
  afterAll(async () => {
    for (const page of pages.values()) await (await page).context().close()
  })

  test.each(screens)('when the $name is shown at any width, then axe finds nothing', async (screen) => {
    const page = await open(screen)
    expect(await faultsOn(page, WIDTHS)).toEqual([])
  })

  test.each(states)('when the $name is shown at any width, then axe finds nothing', async (state) => {
    const { widths = WIDTHS } = state
    const page = await open(screenOf(state))
    await page.setViewportSize({ width: widths[0] ?? 320, height: 800 })
    await state.reach(page)
    expect(await faultsOn(page, widths)).toEqual([])
  })
})
