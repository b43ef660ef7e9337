import type { Locator, Page } from 'playwright-core'

/** The one notice that a page shows at a time. */
export const toast = (page: Page, text: string): Locator =>
  page.getByRole('region', { name: /^Notifications/ }).getByText(text, { exact: true })
