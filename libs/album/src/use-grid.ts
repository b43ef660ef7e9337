import { useLayoutEffect, useState, type RefObject } from 'react'

/** How cards are laid out; lengths in pixels. */
export interface Grid {
  columns: number
  cardWidth: number
  cardHeight: number
  /** Two stand beside each other on a phone. */
  narrow: boolean
  gap: number
  /** From the top of the document to the first card. */
  top: number
}

const ACTIONS_HEIGHT = 60
const WIDE_CARD = 280

/** Cards that fit into so many pixels: two beside each other on most phones, elsewhere as many as are large enough. */
export const gridFor = (width: number): Omit<Grid, 'top'> => {
  const phone = width < 560
  const gap = phone ? 12 : 16
  const columns = phone ? (width < 330 ? 1 : 2) : Math.floor((width + gap) / (WIDE_CARD + gap))
  const cardWidth = (width - (columns - 1) * gap) / columns
  // Narrow cards are higher: their words take more lines.
  const mediaHeight = Math.round(cardWidth * (phone && columns > 1 ? 1.25 : 0.75))
  return { columns, cardWidth, cardHeight: mediaHeight + ACTIONS_HEIGHT, gap, narrow: phone && columns > 1 }
}

/** The grid for an element as wide as it is now. */
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
    // What stands above the grid moves it, and then the whole page grows or shrinks.
    const watcher = new ResizeObserver(measure)
    watcher.observe(document.body)
    if (element.current) watcher.observe(element.current)
    return () => watcher.disconnect()
  }, [element])

  return grid
}
