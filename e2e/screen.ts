import type { Locator, Page } from 'playwright-core'
import type { Persona, SeededSite } from './seeded-site.ts'

/** Locates an element of a screen. */
export type ElementLocator = (page: Page, seededSite: SeededSite) => Locator

export interface Screen {
  name: string
  /** The user who opens it. */
  persona: Persona
  path: (seededSite: SeededSite) => string
  /** The title of the document without the product's name. */
  title: string
  /** The elements that are visible once the screen has loaded. */
  elements: readonly ElementLocator[]
  /** The roles of all its landmarks. */
  landmarks: readonly string[]
}

/** Waits until all elements of a screen are visible. */
export const waitForScreen = async (
  page: Page,
  { elements }: Screen,
  seededSite: SeededSite,
): Promise<void> => {
  for (const locate of elements) await locate(page, seededSite).waitFor()
}

/** Waits until the document has a title. It is set some moments after the screen is shown. */
export const waitForTitle = (
  page: Page,
  title: string,
  options: { timeout?: number } = {},
): Promise<unknown> =>
  page.waitForFunction((expected) => document.title === expected, `${title} · Confetti`, options)

export const heading =
  (name: string, level = 1): ElementLocator =>
  (page) =>
    page.getByRole('heading', { name, level, exact: true })
export const text =
  (content: string): ElementLocator =>
  (page) =>
    page.getByText(content, { exact: true })
export const button =
  (name: string): ElementLocator =>
  (page) =>
    page.getByRole('button', { name, exact: true })
export const link =
  (name: string, href: string): ElementLocator =>
  (page) =>
    page.getByRole('link', { name, exact: true }).and(page.locator(`[href="${href}"]`))
export const field =
  (label: string, selector = '*'): ElementLocator =>
  (page) =>
    page.getByLabel(label, { exact: true }).and(page.locator(selector))
const radio =
  (name: string, checked = false): ElementLocator =>
  (page) =>
    page.getByRole('radio', { name, exact: true, checked })
export const themeToggle: ElementLocator = (page) =>
  page.getByRole('button', { name: /^Switch to (dark|light) theme$/ })
export const eventName: ElementLocator = (page, { site }) =>
  page.getByRole('heading', { name: site.event.name, exact: true })
export const eventDescription: ElementLocator = (page, { site }) =>
  page.getByText(site.event.description, { exact: true }).first()

/** The first and last day of the event, formatted for the locale en-GB. */
export const eventDates: ElementLocator = (page, { site: { event } }) => {
  const [start = '', end = ''] = [event.startDate, event.endDate].map(
    (day) => `${Number(day.slice(-2))} \\p{L}+ ${day.slice(0, 4)}`,
  )
  return page.getByText(new RegExp(`^${start} [-–] ${end}$`, 'u'))
}

/** Completes screens for signed-in users, which share their landmarks. `persona` is the default of each screen. */
export const memberScreens = (
  persona: Persona,
  screens: readonly (Omit<Screen, 'persona' | 'landmarks'> & Partial<Pick<Screen, 'persona'>>)[],
): readonly Screen[] =>
  screens.map((screen) => ({ persona, landmarks: ['banner', 'navigation', 'main'], ...screen }))

export const batchSizeOptions = (chosen: string): ElementLocator[] =>
  ['10', '50', '100'].map((size) => radio(size, size === chosen))

/** What the settings of an event consist of for admins and organisers. */
export const settingsElements: readonly ElementLocator[] = [
  radio('Open', true),
  radio('Closed'),
  field('Uploads close at', '[type=datetime-local]'),
  field('Time zone', 'select'),
  field('Welcome text', 'textarea'),
  (page) => page.getByRole('button', { name: /^(Choose a|Change) cover$/ }),
  radio('Show at once', true),
  radio('Approve first'),
  (page) => page.getByRole('radio', { name: 'On', exact: true }),
  (page) => page.getByLabel(/^Delete the event with all photos/),
  button('Save settings'),
  heading('Live wall', 2),
  (page) => page.getByRole('button', { name: /^Create (new )?link$/ }),
  heading('Organisers', 2),
  field('Email address of another organiser', '[type=email]'),
  heading('What guests see', 2),
]
