import { useLayoutEffect, useState, type RefObject } from 'react'

/** The layout of the cards; lengths in pixels. */
export interface Grid {
  columns: number
  cardWidth: number
  cardHeight: number
  /** Whether there are two columns on a phone. */
  isNarrow: boolean
  gap: number
  /** The distance from the top of the document to the first card. */
  top: number
}

const ACTIONS_HEIGHT = 60
const MIN_CARD_WIDTH = 280

/**
 * The layout for a width in pixels: two columns on most phones, otherwise as many as the minimum card width
 * allows.
 */
export const gridFor = (width: number): Omit<Grid, 'top'> => {
  const isPhone = width < 560
  const gap = isPhone ? 12 : 16
  const columns = isPhone ? (width < 330 ? 1 : 2) : Math.floor((width + gap) / (MIN_CARD_WIDTH + gap))
  const cardWidth = (width - (columns - 1) * gap) / columns
  const isNarrow = isPhone && columns > 1
  // The caption of a narrow card takes more lines.
  const mediaHeight = Math.round(cardWidth * (isNarrow ? 1.25 : 0.75))
  return { columns, cardWidth, cardHeight: mediaHeight + ACTIONS_HEIGHT, gap, isNarrow }
}

/** The layout for the current width of an element. */
export const useGrid = (element: RefObject<HTMLElement | null>): Grid => {
  const [grid, setGrid] = useState<Grid>({ ...gridFor(0), top: 0 })

  useLayoutEffect(() => {
    const measure = (): void => {
      if (!element.current) return
      const { width, top } = element.current.getBoundingClientRect()
      const next = { ...gridFor(width), top: Math.round(top + window.scrollY) }
      setGrid((before) => (before.cardWidth === next.cardWidth && before.top === next.top ? before : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    // Content above the grid changes the height of the body when it moves the grid.
    observer.observe(document.body)
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])

  return grid
}
