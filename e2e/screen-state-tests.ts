import { createWall } from '@confetti/contracts'
import { call, newEvent, samplePath } from '@confetti/test-kit'
import { expect, test } from '@jest/globals'
import { LANGUAGES } from './choose-language.ts'
import { lengthenTimers } from './long-timers.ts'
import { openPath } from './navigate.ts'
import { createPersonaPages } from './persona-pages.ts'
import { findProblems, findProblemsInAllLanguages, type Depth } from './screen-problems.ts'
import { screenStates, type ScreenState } from './screen-states.ts'
import { waitForScreen, type Screen } from './screen.ts'
import { screens } from './screens.ts'
import type { SeededSite } from './seeded-site.ts'
import { setWidth } from './text-layout.ts'

const findScreen = ({ screenName }: ScreenState): Screen => {
  const screen = screens.find(({ name }) => name === screenName)
  if (!screen) throw new Error(`There is no screen named '${screenName}'.`)
  return screen
}

/** Defines a test for each state of a screen, the live wall and the pages outside of the shell: axe, and texts that can be read. */
export const testScreenStates = (getSeededSite: () => SeededSite, depth: Depth): void => {
  const { withPage, forget } = createPersonaPages(getSeededSite)

  test.each(screenStates)(
    'When the $name is shown in any language at any width, then it has no accessibility violations in any theme, and all texts can be read',
    async (state) => {
      const screen = findScreen(state)
      await withPage(screen.persona, async (page) => {
        await page.setViewportSize({ width: 1280, height: 800 })
        await openPath(page, screen.path(getSeededSite()))
        await waitForScreen(page, screen, getSeededSite())
        await setWidth(page, state.widths?.[0] ?? 320)
        await state.prepare(page)
        expect(await findProblemsInAllLanguages(page, depth, state)).toEqual([])
      })
      if (state.needsOwnPage) await forget(screen.persona)
    },
  )

  test('When guests look at their photos in any language at any width, then there are no accessibility violations in any theme, and all texts can be read', async () => {
    const { site } = getSeededSite()
    const { _id: eventId } = await newEvent(site.api, site.admin, site.organiser)
    const page = await site.newPage({ theme: 'system' })
    // A photo that is deleted leaves the list after 30 seconds; here it stays.
    await lengthenTimers(page, 30_000)
    await page.goto(`/upload?eventId=${eventId}`)
    await page.getByLabel('Your Name (Photo Credit)').fill('Aunt Marta')
    await page
      .locator('input[type=file]')
      .setInputFiles([samplePath('camera-gps.jpg'), samplePath('video.mov')])
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await page.getByRole('link', { name: 'Your photos' }).click()
    const photos = page.getByRole('region', { name: 'Your photos' }).getByRole('listitem')
    await photos.getByText('Sent').nth(1).waitFor()
    await photos.getByRole('button', { name: 'Delete camera-gps.jpg' }).click()
    await photos.getByText(/^Deleted/).waitFor()
    expect(await findProblemsInAllLanguages(page, depth)).toEqual([])
    await photos.getByText(/^Deleted/).waitFor()
  })

  test.each(LANGUAGES)(
    'When the live wall shows a photo in the language %s at any width, then it has no accessibility violations in any theme, and all texts can be read',
    async (locale) => {
      const { site, configuredEvent } = getSeededSite()
      const { body } = await call(site.api, createWall, {
        token: site.organiser.token,
        params: { eventId: configuredEvent._id },
      })
      const { pathname, hash } = new URL(String(body.url))
      // Without a switch, the wall is in the language of the browser.
      const page = await site.newPage({ locale, theme: 'system' })
      await page.goto(pathname + hash)
      await page.locator('figcaption').waitFor()
      await page.getByRole('complementary').getByText(configuredEvent.name, { exact: true }).waitFor()
      expect(await page.evaluate(() => document.documentElement.lang)).toBe(locale)
      expect(await findProblems(page, locale, depth)).toEqual([])
      await page.context().close()
    },
  )

  test.each(LANGUAGES)(
    'When an organiser unsubscribes in the language %s at any width, then the page has no accessibility violations in any theme, and all texts can be read',
    async (locale) => {
      const { site } = getSeededSite()
      const page = await site.newPage({ locale })
      const url = new URL('/api/notifications/unsubscribe?subscription=wrong', site.api)
      const submit = async (): Promise<void> => {
        await page.goto(url.href)
        await page.getByRole('button').click()
        await page.getByRole('status').filter({ hasText: /./ }).waitFor()
      }
      await page.goto(url.href)
      expect(await page.evaluate(() => document.documentElement.lang)).toBe(locale)
      const problems = await findProblems(page, locale, depth)
      await submit()
      problems.push(...(await findProblems(page, locale, depth)))
      await page.route(url.href, (route) =>
        route.request().method() === 'POST' ? route.fulfill({ json: {} }) : route.continue(),
      )
      await submit()
      problems.push(...(await findProblems(page, locale, depth)))
      expect(problems).toEqual([])
      await page.context().close()
    },
  )
}
