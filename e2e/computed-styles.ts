import type { Page } from 'playwright-core'

/** The computed style of each element, by its position in the document and its tag: "12 button". */
export type ComputedStyles = Readonly<Record<string, string>>

/** Reads the computed styles of all elements, after removing the focus and waiting for animations to end. */
export const readComputedStyles = (page: Page): Promise<ComputedStyles> =>
  page.evaluate(async () => {
    // Which element has the focus depends on how the page was reached.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    const finiteAnimations = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
    await Promise.allSettled(finiteAnimations.map(({ finished }) => finished))
    return Object.fromEntries(
      [...document.querySelectorAll('html, body, body *')].map((element, index) => {
        const style = getComputedStyle(element)
        const declarations = [...style].map((property) => `${property}: ${style.getPropertyValue(property)}`)
        return [`${index} ${element.tagName.toLowerCase()}`, declarations.join('; ')]
      }),
    )
  })

/** Describes the first declaration that differs between two readings; undefined if they are equal. */
export const describeStyleChange = (before: ComputedStyles, after: ComputedStyles): string | undefined => {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [oldStyle, newStyle] = [before, after].map((styles) => (styles[key] ?? 'not there').split('; '))
    const changed = newStyle?.find((declaration, index) => declaration !== oldStyle?.[index])
    if (changed !== undefined) return `${key.split(' ')[1] ?? key} now has ${changed}`
  }
  return undefined
}
