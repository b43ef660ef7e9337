import type { Page } from 'playwright-core'

/** How every element of a page looks, by its place in the page. */
export type ShownStyles = Readonly<Record<string, string>>

/** Taken when nothing moves any more, and nothing has the keyboard: where that is depends on how one came. */
export const shownStyles = (page: Page): Promise<ShownStyles> =>
  page.evaluate(async () => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    const moving = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
    await Promise.allSettled(moving.map(({ finished }) => finished))
    return Object.fromEntries(
      [...document.querySelectorAll('html, body, body *')].map((element, index) => {
        const style = getComputedStyle(element)
        const lines = [...style].map((property) => `${property}: ${style.getPropertyValue(property)}`)
        return [`${index} ${element.tagName.toLowerCase()}`, lines.join('; ')]
      }),
    )
  })

/** Where two looks of a page differ, in a few words; nothing if they are the same. */
export const differenceOf = (before: ShownStyles, after: ShownStyles): string | undefined => {
  for (const place of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before, after].map((styles) => (styles[place] ?? 'not there').split('; '))
    const now = is?.find((line, index) => line !== was?.[index])
    if (now !== undefined) return `${place.split(' ')[1] ?? place} now has ${now}`
  }
  return undefined
}
