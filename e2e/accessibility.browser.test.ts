import { createWall } from '@confetti/contracts'
import { call, newEvent, samplePath } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { findAxeViolations } from './axe.ts'
import { createPersonaPages } from './persona-pages.ts'
import { screenStates, type ScreenState } from './screen-states.ts'
import { waitForScreen, type Screen } from './screen.ts'
import { screens } from './screens.ts'
import { startSeededSite, type SeededSite } from './seeded-site.ts'
import { findUnreadableTexts, setWidth, VIEWPORT_WIDTHS } from './text-layout.ts'

/** At this width, layouts have the elements of either the narrow or the wide one. */
const MIDDLE_WIDTH = 768

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

const { pageFor, forget } = createPersonaPages(() => seededSite)

const open = async (screen: Screen): Promise<Page> => {
  const page = await pageFor(screen.persona)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(screen.path(seededSite))
  await waitForScreen(page, screen, seededSite)
  return page
}

const findProblems = async (page: Page, widths: readonly number[]): Promise<string[]> => {
  const problems: string[] = []
  for (const width of widths) {
    await setWidth(page, width)
    const violations =
      width === MIDDLE_WIDTH
        ? []
        : [...(await findAxeViolations(page, 'dark')), ...(await findAxeViolations(page, 'light'))]
    for (const problem of [...violations, ...(await findUnreadableTexts(page))])
      problems.push(`${width} px: ${problem}`)
  }
  return problems
}

test.each(screens)(
  'When the $name is shown at any width, then it has no accessibility violations in any theme, and all texts can be read',
  async (screen) => {
    const page = await open(screen)
    expect(await findProblems(page, VIEWPORT_WIDTHS)).toEqual([])
  },
)

test.each(screenStates)(
  'When the $name is shown at any width, then it has no accessibility violations in any theme, and all texts can be read',
  async (state) => {
    const { widths = VIEWPORT_WIDTHS } = state
    // Files that a guest has chosen would be in the list again on the next visit.
    await forget('guest')
    const page = await open(findScreen(state))
    await page.setViewportSize({ width: widths[0] ?? 320, height: 800 })
    await state.prepare(page)
    expect(await findProblems(page, widths)).toEqual([])
  },
)

test('When the live wall shows a photo at any width, then it has no accessibility violations in any theme, and all texts can be read', async () => {
  const { site, configuredEvent } = seededSite
  const { body } = await call(site.api, createWall, {
    token: site.organiser.token,
    params: { eventId: configuredEvent._id },
  })
  const { pathname, hash } = new URL(String(body.url))
  const page = await pageFor('guest')
  await page.goto(pathname + hash)
  await page.locator('figcaption').waitFor()
  await page.getByRole('complementary').getByText(configuredEvent.name, { exact: true }).waitFor()
  expect(await findProblems(page, VIEWPORT_WIDTHS)).toEqual([])
})

test('When guests look at their photos at any width, then there are no accessibility violations in any theme, and all texts can be read', async () => {
  const { site } = seededSite
  const { _id: eventId } = await newEvent(site.api, site.admin, site.organiser)
  await forget('guest')
  const page = await pageFor('guest')
  await page.goto(`/upload?eventId=${eventId}`)
  await page.getByLabel('Your Name (Photo Credit)').fill('Aunt Marta')
  await page
    .locator('input[type=file]')
    .setInputFiles([samplePath('camera-gps.jpg'), samplePath('video.mov')])
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByRole('link', { name: 'Your photos' }).click()
  const photos = page.getByRole('region', { name: 'Your photos' }).getByRole('listitem')
  await photos.getByText('Sent').nth(1).waitFor()
  await photos.getByRole('button', { name: 'Take back camera-gps.jpg' }).click()
  await photos.getByText(/^Taken back/).waitFor()
  expect(await findProblems(page, VIEWPORT_WIDTHS)).toEqual([])
})
