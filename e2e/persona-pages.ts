import type { Page } from 'playwright-core'
import { accountFor, type Persona, type SeededSite } from './seeded-site.ts'

const openPage = (seededSite: SeededSite, persona: Persona): Promise<Page> => {
  const account = accountFor(seededSite, persona)
  return seededSite.site.newPage({ ...(account && { account }), theme: 'system' })
}

/** One page for each persona, with the theme of the system, which stays open and keeps what the browser has stored for it. */
export const createPersonaPages = (getSeededSite: () => SeededSite) => {
  const pages = new Map<Persona, Page>()
  /** Closes the page of a persona, so that the next one has nothing stored. */
  const forget = async (persona: Persona): Promise<void> => {
    const page = pages.get(persona)
    pages.delete(persona)
    await page?.context().close()
  }
  return {
    forget,
    /** Calls `use` with the page of a persona. If that fails, the page may be in any state and language: it is closed. */
    withPage: async (persona: Persona, use: (page: Page) => Promise<unknown>): Promise<void> => {
      const page = pages.get(persona) ?? (await openPage(getSeededSite(), persona))
      pages.set(persona, page)
      try {
        await use(page)
      } catch (error) {
        await forget(persona)
        throw error
      }
    },
  }
}
