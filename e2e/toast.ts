import type { Locator, Page } from 'playwright-core'

/** Locates a toast by its exact text. A page shows one toast at a time. */
export const toast = (page: Page, text: string): Locator =>
  page.getByRole('region', { name: /^Notifications/ }).getByText(text, { exact: true })
