import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createPersonaPages } from './persona-pages.ts'
import { findProblemsInAllLanguages, type Depth } from './screen-problems.ts'
import { waitForScreen } from './screen.ts'
import { screens } from './screens.ts'
import { startSeededSite, type SeededSite } from './seeded-site.ts'

/** Defines a test for each screen: axe, and texts that can be read. */
export const testScreens = (depth: Depth): void => {
  let seededSite: SeededSite
  beforeAll(async () => {
    seededSite = await startSeededSite()
  })
  afterAll(() => seededSite.site.stop())

  const { pageFor } = createPersonaPages(() => seededSite)

  test.each(screens)(
    'When the $name is shown in any language at any width, then it has no accessibility violations in any theme, and all texts can be read',
    async (screen) => {
      const page = await pageFor(screen.persona)
      await page.goto(screen.path(seededSite))
      await waitForScreen(page, screen, seededSite)
      expect(await findProblemsInAllLanguages(page, depth)).toEqual([])
    },
  )
}
