import type { Page } from 'playwright-core'

/** Formats a calendar day (yyyy-MM-dd) in the locale of the page. */
export const formatDate = (page: Page, day: string): Promise<string> =>
  page.evaluate(
    (value) => new Date(`${value}T12:00:00`).toLocaleDateString(undefined, { dateStyle: 'medium' }),
    day,
  )
