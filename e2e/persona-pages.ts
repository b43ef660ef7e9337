import type { Page } from 'playwright-core'
import { accountFor, type Persona, type SeededSite } from './seeded-site.ts'

/** One page for each persona, with the theme of the system, which stays open and keeps what the browser has stored for it. */
export const createPersonaPages = (getSeededSite: () => SeededSite) => {
  const pages = new Map<Persona, Promise<Page>>()
  return {
    pageFor: (persona: Persona): Promise<Page> => {
      const seededSite = getSeededSite()
      const account = accountFor(seededSite, persona)
      const page =
        pages.get(persona) ??
        seededSite.site.newPage({ ...(account && { account }), theme: 'system', reducedMotion: 'reduce' })
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
