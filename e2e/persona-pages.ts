import type { Page } from 'playwright-core'
import { accountFor, type Persona, type SeededSite } from './seeded-site.ts'

const openPage = async (seededSite: SeededSite, persona: Persona): Promise<Page> => {
  const account = accountFor(seededSite, persona)
  const page = await seededSite.site.newPage({
    ...(account && { account }),
    theme: 'system',
    reducedMotion: 'reduce',
  })
  // In English again, whatever language a test has chosen before it failed.
  await page.addInitScript(() => localStorage.setItem('ui-language', 'en'))
  return page
}

/**
 * One page for each persona, with the theme of the system, which stays open and keeps what the browser has stored for it,
 * but for the language: a page is in English when it opens.
 */
export const createPersonaPages = (getSeededSite: () => SeededSite) => {
  const pages = new Map<Persona, Promise<Page>>()
  return {
    pageFor: (persona: Persona): Promise<Page> => {
      const page = pages.get(persona) ?? openPage(getSeededSite(), persona)
      pages.set(persona, page)
      return page
    },
    /** Closes the page of a persona, so that the next one has nothing stored. */
    forget: async (persona: Persona): Promise<void> => {
      const page = await pages.get(persona)
      pages.delete(persona)
      await page?.context().close()
    },
  }
}
