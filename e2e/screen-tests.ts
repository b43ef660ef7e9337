import { expect, test } from '@jest/globals'
import { openPath } from './navigate.ts'
import { createPersonaPages } from './persona-pages.ts'
import { findProblemsInAllLanguages, type Depth } from './screen-problems.ts'
import { waitForScreen, waitForTitle } from './screen.ts'
import { screens } from './screens.ts'
import type { SeededSite } from './seeded-site.ts'

/** Defines a test for each screen: what it consists of, axe, and texts that can be read. */
export const testScreens = (getSeededSite: () => SeededSite, depth: Depth): void => {
  const { withPage } = createPersonaPages(getSeededSite)

  test.each(screens)(
    'When the $name is shown, then it has all its elements, landmarks and title, no accessibility violations in any theme, and in any language at any width all texts can be read',
    (screen) =>
      withPage(screen.persona, async (page) => {
        const errors: string[] = []
        const addError = ({ message }: Error): void => void errors.push(message)
        page.on('pageerror', addError)
        await page.setViewportSize({ width: 1280, height: 800 })
        await openPath(page, screen.path(getSeededSite()))
        await waitForScreen(page, screen, getSeededSite())
        await waitForTitle(page, screen.title)
        const countRole = async (role: Parameters<typeof page.getByRole>[0]) => [
          role,
          await page.getByRole(role).count(),
        ]
        const landmarks = await Promise.all(
          (['banner', 'navigation', 'main', 'contentinfo'] as const).map(countRole),
        )
        expect(landmarks.filter(([, count]) => count !== 0)).toEqual(
          screen.landmarks.map((role) => [role, 1]),
        )
        expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
        expect(await findProblemsInAllLanguages(page, depth)).toEqual([])
        page.off('pageerror', addError)
        expect(errors).toEqual([])
      }),
  )
}
