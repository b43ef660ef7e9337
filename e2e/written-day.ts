import type { Page } from 'playwright-core'

/** A calendar day (yyyy-MM-dd) as the browser's language writes it. */
export const writtenDay = (page: Page, day: string): Promise<string> =>
  page.evaluate(
    (value) => new Date(`${value}T12:00:00`).toLocaleDateString(undefined, { dateStyle: 'medium' }),
    day,
  )
