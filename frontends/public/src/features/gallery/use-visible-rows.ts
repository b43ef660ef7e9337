import { useEffect, useLayoutEffect, useState, type RefObject } from 'react'
import { findRows, type GridRow } from './layout-rows.ts'

/** How far beyond the screen rows are in the document, in pixels. */
const OVERSCAN_PX = 600

/** The width of an element, in pixels; 0 before the first measurement. */
export const useWidth = (element: RefObject<HTMLElement | null>): number => {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const measure = (): void => setWidth(element.current?.clientWidth ?? 0)
    measure()
    const observer = new ResizeObserver(measure)
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return width
}

/** Which rows of a grid are on the screen or near it. */
export const useVisibleRows = (element: RefObject<HTMLElement | null>, rows: readonly GridRow[]) => {
  const [range, setRange] = useState({ first: 0, last: -1 })
  useLayoutEffect(() => {
    const measure = (): void => {
      const top = -(element.current?.getBoundingClientRect().top ?? 0)
      const next = findRows(rows, top - OVERSCAN_PX, top + window.innerHeight + OVERSCAN_PX)
      setRange((before) => (before.first === next.first && before.last === next.last ? before : next))
    }
    measure()
    window.addEventListener('scroll', measure, { passive: true })
    window.addEventListener('resize', measure)
    return () => {
      window.removeEventListener('scroll', measure)
      window.removeEventListener('resize', measure)
    }
  }, [element, rows])
  return range
}

/** Whether the page is scrolled down. */
export const useIsScrolledDown = (): boolean => {
  const [isScrolledDown, setIsScrolledDown] = useState(false)
  useEffect(() => {
    const measure = (): void => setIsScrolledDown(window.scrollY > 200)
    measure()
    window.addEventListener('scroll', measure, { passive: true })
    return () => window.removeEventListener('scroll', measure)
  }, [])
  return isScrolledDown
}
