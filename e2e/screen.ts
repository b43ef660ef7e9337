import type { Locator, Page } from 'playwright-core'
import type { UsedSite, Visitor } from './used-site.ts'

/** Something that a screen shows. */
export type Part = (page: Page, used: UsedSite) => Locator

export interface Screen {
  name: string
  as: Visitor
  path: (used: UsedSite) => string
  /** What the tab says before the product's name. */
  title: string
  /** What is there once the screen is. */
  parts: readonly Part[]
  landmarks: readonly string[]
}

/** Resolves when all that a screen names is seen. */
export const whenShown = async (page: Page, { parts }: Screen, used: UsedSite): Promise<void> => {
  for (const part of parts) await part(page, used).waitFor()
}

export const heading =
  (name: string, level = 1): Part =>
  (page) =>
    page.getByRole('heading', { name, level, exact: true })
export const text =
  (words: string): Part =>
  (page) =>
    page.getByText(words, { exact: true })
export const button =
  (name: string): Part =>
  (page) =>
    page.getByRole('button', { name, exact: true })
export const link =
  (name: string, to: string): Part =>
  (page) =>
    page.getByRole('link', { name, exact: true }).and(page.locator(`[href="${to}"]`))
export const field =
  (label: string, selector = '*'): Part =>
  (page) =>
    page.getByLabel(label, { exact: true }).and(page.locator(selector))
const radio =
  (name: string, checked = false): Part =>
  (page) =>
    page.getByRole('radio', { name, exact: true, checked })
export const themeToggle: Part = (page) => page.getByRole('button', { name: /^Use the (dark|light) theme$/ })
export const eventName: Part = (page, { site }) =>
  page.getByRole('heading', { name: site.event.name, exact: true })
export const eventAbout: Part = (page, { site }) =>
  page.getByText(site.event.description, { exact: true }).first()

/** From when to when it is, in the words of a reader in Britain. */
export const eventDates: Part = (page, { site: { event } }) => {
  const [start = '', end = ''] = [event.startDate, event.endDate].map(
    (day) => `${Number(day.slice(-2))} \\p{L}+ ${day.slice(0, 4)}`,
  )
  return page.getByText(new RegExp(`^${start} [-–] ${end}$`, 'u'))
}

/** Screens of somebody who is signed in: `as`, where a screen does not say otherwise. */
export const screensOf = (
  as: Visitor,
  screens: readonly (Omit<Screen, 'as' | 'landmarks'> & Partial<Pick<Screen, 'as'>>)[],
): readonly Screen[] =>
  screens.map((screen) => ({ as, landmarks: ['banner', 'navigation', 'main'], ...screen }))

export const batchSizes = (chosen: string): Part[] =>
  ['10', '50', '100'].map((size) => radio(size, size === chosen))
