import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'

const findUnreadableTextsNow = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    interface Line {
      element: Element
      text: string
      box: DOMRect
    }
    const TOLERANCE_PX = 1.5
    const ancestorsOf = (element: Element): Element[] => {
      const ancestors: Element[] = []
      for (let each: Element | null = element; each && each !== document.body; each = each.parentElement)
        ancestors.push(each)
      return ancestors
    }
    const isForScreenReaders = (element: Element): boolean =>
      ancestorsOf(element).some((each) => {
        const { width, height } = each.getBoundingClientRect()
        return getComputedStyle(each).overflowX !== 'visible' && (width <= 1 || height <= 1)
      })
    const root = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body
    const getLines = (): Line[] => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      const lines: Line[] = []
      while (walker.nextNode()) {
        const node = walker.currentNode
        const element = node.parentElement
        const text = node.textContent?.trim() ?? ''
        if (!element || text === '' || element.closest('select, script, style, noscript, svg')) continue
        if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
        if (isForScreenReaders(element)) continue
        const range = document.createRange()
        range.selectNodeContents(node)
        for (const box of range.getClientRects())
          if (box.width > 1 && box.height > 1) lines.push({ element, text, box })
      }
      return lines
    }

    const isOutside = (line: DOMRect, box: DOMRect): boolean =>
      line.left < box.left - TOLERANCE_PX || line.right > box.right + TOLERANCE_PX
    const isBelow = (line: DOMRect, box: DOMRect): boolean =>
      // Letters without descenders leave the lower part of their line empty.
      line.bottom - line.height * 0.2 > box.bottom + TOLERANCE_PX ||
      line.top + line.height * 0.2 < box.top - TOLERANCE_PX
    const isDrawn = ({
      backgroundColor,
      borderInlineStartWidth,
      borderInlineStartStyle,
    }: CSSStyleDeclaration) =>
      (backgroundColor !== 'rgba(0, 0, 0, 0)' && backgroundColor !== 'transparent') ||
      (borderInlineStartStyle !== 'none' && borderInlineStartWidth !== '0px')

    /** Whether an element hides it as a whole, such as a name without room beside its logo: that is on purpose. */
    const isHidden = ({ element, box }: Line): boolean =>
      ancestorsOf(element).some((each) => {
        const outer = each.getBoundingClientRect()
        return (
          getComputedStyle(each).overflowY === 'hidden' &&
          (box.top + box.height * 0.2 >= outer.bottom || box.bottom - box.height * 0.2 <= outer.top)
        )
      })

    const isLongName = ({ element }: Line): boolean =>
      ancestorsOf(element).some(
        (each) =>
          getComputedStyle(each).textOverflow === 'ellipsis' &&
          (element.closest('bdi') ?? each.querySelector('bdi')),
      )

    const findCut = ({ element, box }: Line): string | undefined => {
      const isInRow = ancestorsOf(element).some(
        (each) => /auto|scroll/.test(getComputedStyle(each).overflowX) && each.scrollWidth > each.clientWidth,
      )
      for (const each of ancestorsOf(element)) {
        const style = getComputedStyle(each)
        if (style.display === 'inline' || style.display === 'contents') continue
        const outer = each.getBoundingClientRect()
        const isScrolled = /auto|scroll/.test(style.overflowX) || /auto|scroll/.test(style.overflowY)
        if (isScrolled) return undefined
        const cuts = style.overflowX !== 'visible' || style.overflowY !== 'visible'
        if (cuts && (isOutside(box, outer) || isBelow(box, outer))) return 'is cut off'
        if (isDrawn(style) && isOutside(box, outer)) return 'is longer than its box'
        // Those of a row that is scrolled sideways come into sight.
        if (
          !isInRow &&
          isDrawn(style) &&
          (outer.left < -TOLERANCE_PX || outer.right > innerWidth + TOLERANCE_PX)
        )
          return 'is in a box that is outside of the window'
      }
      if (box.left < -TOLERANCE_PX || box.right > innerWidth + TOLERANCE_PX) return 'is outside of the window'
      return undefined
    }

    const layerOf = (element: Element): Element | undefined =>
      ancestorsOf(element).find((each) => /fixed|sticky/.test(getComputedStyle(each).position))
    const isOver = (one: Line, other: Line): boolean => {
      const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
      const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)
      return (
        width > 2 &&
        height > 0.4 * Math.min(one.box.height, other.box.height) &&
        layerOf(one.element) === layerOf(other.element)
      )
    }

    /** Whether something that is drawn, and is not part of its layer, covers an end of it. */
    const isCovered = ({ element, box }: Line): boolean =>
      [box.left + 2, box.right - 2].some((x) => {
        const hit = document
          .elementsFromPoint(x, box.top + box.height / 2)
          // Controls that are transparent, over what is drawn for them.
          .find((each) => getComputedStyle(each).opacity !== '0')
        const isOther =
          hit && !hit.contains(element) && !element.contains(hit) && layerOf(hit) === layerOf(element)
        if (!isOther) return false
        return ancestorsOf(hit).some((each) => !each.contains(element) && isDrawn(getComputedStyle(each)))
      })

    /** The placeholders that do not fit into their fields. */
    const findCutPlaceholders = (): string[] => {
      const canvas = document.createElement('canvas').getContext('2d')
      return [...root.querySelectorAll<HTMLInputElement>('input:placeholder-shown')]
        .filter((input) => {
          const { font, paddingLeft, paddingRight } = getComputedStyle(input)
          if (!canvas || !input.checkVisibility()) return false
          canvas.font = font
          const room = input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
          return canvas.measureText(input.placeholder).width > room + TOLERANCE_PX
        })
        .map(({ placeholder }) => `'${placeholder}' is cut off`)
    }

    const confetti = [...document.querySelectorAll('[data-confetti] > *')]
    /** Whether a text is over confetti, with nothing drawn between the two. */
    const touchesConfetti = ({ element, box }: Line): boolean =>
      confetti.some((scrap) => {
        const { left, right, top, bottom } = scrap.getBoundingClientRect()
        return (
          Math.min(right, box.right) - Math.max(left, box.left) > 1 &&
          Math.min(bottom, box.bottom) - Math.max(top, box.top) > 1 &&
          !ancestorsOf(element).some((each) => isDrawn(getComputedStyle(each)) && !each.contains(scrap))
        )
      })

    const lines = getLines().filter((line) => !isHidden(line) && !isLongName(line))
    const cut = lines.flatMap((line) => {
      const problem = findCut(line)
      return problem ? [`'${line.text}' ${problem}`] : []
    })
    const covered = lines.filter(isCovered).map(({ text }) => `'${text}' is covered`)
    const over = lines.flatMap((line, index) =>
      lines
        .slice(index + 1)
        .filter((other) => other.element !== line.element && isOver(line, other))
        .map((other) => `'${line.text}' overlaps '${other.text}'`),
    )
    const touching = lines.filter(touchesConfetti).map(({ text }) => `'${text}' is over confetti`)
    const { scrollWidth, clientWidth } = document.documentElement
    const wide = scrollWidth > clientWidth ? [`the page is ${scrollWidth} px wide`] : []
    return [...new Set([...cut, ...findCutPlaceholders(), ...covered, ...over, ...touching, ...wide])]
  })

/** How long a page may take to render the layout for another width or language. */
const LAYOUT_TIMEOUT_MS = 10_000

/**
 * Returns the visible texts of a page, or of its open dialog, that cannot be read in full: cut off by an element, their
 * field or the window, longer than the box that is drawn around them, or over another text or confetti. What is cut off with
 * an ellipsis is found only in elements whose words the page itself has chosen, because names can have any length: those are
 * in a `bdi`.
 * Problems count only if they last: a busy page renders a new layout some frames late.
 */
export const findUnreadableTexts = async (page: Page): Promise<string[]> => {
  const deadline = Date.now() + LAYOUT_TIMEOUT_MS
  for (;;) {
    const problems = await findUnreadableTextsNow(page)
    if (problems.length === 0 || Date.now() > deadline) return problems
    await sleep(100)
  }
}

/** Of a small phone, a tablet and a laptop. */
export const VIEWPORT_WIDTHS = [320, 768, 1280] as const
export type Width = (typeof VIEWPORT_WIDTHS)[number]

/** Waits until the layout for a width of the window is done. */
export const setWidth = async (page: Page, width: number): Promise<void> => {
  await page.setViewportSize({ width, height: 800 })
  await page.waitForFunction(
    () =>
      new Promise((done) =>
        requestAnimationFrame(() => {
          const before = document.documentElement.scrollHeight
          requestAnimationFrame(() =>
            requestAnimationFrame(() => {
              // What depends on the size of an element, such as rows of photos, is rendered after it is observed.
              const isLaidOut = document.documentElement.scrollHeight === before
              // The cards of a gallery move to their new places.
              const isMoving = document
                .getAnimations()
                .some(({ playState }) => playState !== 'finished' && playState !== 'idle')
              done(isLaidOut && !isMoving)
            }),
          )
        }),
      ),
  )
}

/**
 * Makes all visible texts of a page 40 % longer, as those of another language may be. Returns a function that restores
 * them.
 */
export const lengthenTexts = async (page: Page): Promise<() => Promise<void>> => {
  const lengthened = await page.evaluateHandle(() => {
    const texts = new Map<Text, string>()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const node = walker.currentNode as Text
      if (!/\p{L}/u.test(node.data) || node.parentElement?.closest('bdi, script, style')) continue
      texts.set(node, node.data)
      node.data += ` ${node.data.trim().slice(0, Math.ceil(node.data.trim().length * 0.4) - 1)}`
    }
    return texts
  })
  return () =>
    lengthened.evaluate((texts) => {
      for (const [node, data] of texts) node.data = data
    })
}
