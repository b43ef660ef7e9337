import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
} from 'react'
import { getDirection, useLocale } from '@confetti/i18n'
import { findRowOf, findRows, getTotalHeight, type GridRow } from './grid-layout.ts'
import styles from './virtual-grid.module.css'

/** How far beyond the screen rows are in the document. */
const OVERSCAN_PX = 600
// The fixed header of members' pages and a margin.
const MEMBERS_HEADER_PX = 80
const MAX_FOCUS_FRAMES = 20

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

/** Which rows of a grid are on the screen or near it. Calls `onScroll` with how far the grid is scrolled out at the top. */
const useVisibleRows = (
  element: RefObject<HTMLElement | null>,
  rows: readonly GridRow[],
  onScroll: ((scrolledPx: number) => void) | undefined,
) => {
  const [range, setRange] = useState({ first: 0, last: -1 })
  useLayoutEffect(() => {
    const measure = (): void => {
      const top = -(element.current?.getBoundingClientRect().top ?? 0)
      const next = findRows(rows, top - OVERSCAN_PX, top + window.innerHeight + OVERSCAN_PX)
      setRange((before) => (before.first === next.first && before.last === next.last ? before : next))
      onScroll?.(top)
    }
    measure()
    // Content above the grid changes the height of the body when it moves the grid.
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    window.addEventListener('scroll', measure, { passive: true })
    window.addEventListener('resize', measure)
    return () => {
      observer.disconnect()
      window.removeEventListener('scroll', measure)
      window.removeEventListener('resize', measure)
    }
  }, [element, rows, onScroll])
  return range
}

export interface GridHandle {
  /** Moves the focus to the upload at an index, and scrolls to it only if nothing of it is on the screen. */
  focusAt: (index: number) => void
}

export interface GridCell {
  index: number
  /** The width of the grid. */
  gridWidth: number
  /** Whether Tab reaches this cell, if arrow keys reach the others. */
  isTabStop: boolean
}

interface Props<T> {
  ref?: Ref<GridHandle>
  uploads: readonly T[]
  /** Must be the same function in each render, like the other functions. */
  layOut: (uploads: readonly T[], width: number) => readonly GridRow[]
  /** Whether cells glide to a new place. */
  isAnimated?: boolean
  /** Whether arrow keys, Home and End move between cells, and Tab comes back to the same one. */
  hasTabStop?: boolean
  /** The height of what covers the top of the page. */
  headerPx?: number
  /** The height of what covers the bottom of the page. */
  coveredPx?: number
  /** Called with how far the grid is scrolled out at the top of the page. */
  onScroll?: (scrolledPx: number) => void
  /** Called with the indices of the first and the last upload in the document. */
  onRange?: (first: number, last: number) => void
  /** What is in a cell. The element with `data-main` gets the focus of the cell. */
  children: (upload: T, cell: GridCell) => ReactNode
}

/**
 * A grid for thousands of uploads: only the rows near the screen are in the document. When the control with the focus is
 * removed, because its upload was deleted or the cells have changed, the cell at its place gets the focus.
 */
export const VirtualGrid = <T extends { _id: string }>({
  ref,
  uploads,
  layOut,
  isAnimated = false,
  hasTabStop = false,
  headerPx = MEMBERS_HEADER_PX,
  coveredPx = 0,
  onScroll,
  onRange,
  children,
}: Props<T>) => {
  const isRightToLeft = getDirection(useLocale()) === 'rtl'
  const list = useRef<HTMLUListElement>(null)
  const width = useWidth(list)
  const rows = useMemo(() => layOut(uploads, width), [layOut, uploads, width])
  const visible = useVisibleRows(list, rows, onScroll)
  const [focused, setFocused] = useState<{ id: string; index: number }>()
  const hasFocus = useRef(false)

  const firstIndex = rows[visible.first]?.tiles[0]?.index ?? 0
  const lastIndex = rows[visible.last]?.tiles.at(-1)?.index ?? 0
  const count = uploads.length
  useEffect(() => onRange?.(firstIndex, lastIndex), [onRange, firstIndex, lastIndex, count])

  const findFocusedIndex = (): number | undefined => {
    if (!focused || count === 0) return undefined
    const index = uploads.findIndex(({ _id }) => _id === focused.id)
    // The cell that takes the place of a removed one.
    return index === -1 ? Math.min(focused.index, count - 1) : index
  }
  const focusedIndex = findFocusedIndex()

  const focusAt = useCallback(
    (index: number, { mayBeCut = false } = {}): void => {
      const { top = 0, height = 0 } = rows[findRowOf(rows, index)] ?? {}
      const start = (list.current?.getBoundingClientRect().top ?? 0) + top
      const end = start + height
      const bottom = window.innerHeight - coveredPx
      const isSeen = end > headerPx && start < bottom
      const distance = start < headerPx ? start - headerPx : Math.max(0, end - bottom)
      if (distance !== 0 && !(mayBeCut && isSeen))
        window.scrollTo({ top: window.scrollY + distance, behavior: 'instant' })
      let framesLeft = MAX_FOCUS_FRAMES
      // The cell is rendered some frames after the scroll.
      const focus = (): void => {
        const main = list.current?.querySelector<HTMLElement>(`[data-index="${index}"] [data-main]`)
        if (main) main.focus({ preventScroll: true })
        else if ((framesLeft -= 1) > 0) requestAnimationFrame(focus)
      }
      focus()
    },
    [rows, headerPx, coveredPx],
  )
  useImperativeHandle(ref, () => ({ focusAt: (index) => focusAt(index, { mayBeCut: true }) }), [focusAt])

  // Before the focus goes to the part of the page around the grid.
  useLayoutEffect(() => {
    if (!hasFocus.current || focusedIndex === undefined || document.activeElement !== document.body) return
    hasFocus.current = false
    focusAt(focusedIndex)
  })

  const handleFocus = ({ target }: FocusEvent): void => {
    hasFocus.current = true
    const index = Number(target.closest<HTMLElement>('[data-index]')?.dataset.index)
    const upload = uploads[index]
    if (upload) setFocused({ id: upload._id, index })
  }
  // React does not emit a blur event for an element that it removes.
  const handleBlur = ({ relatedTarget }: FocusEvent): void => {
    hasFocus.current = false
    if (relatedTarget && !list.current?.contains(relatedTarget) && !hasTabStop) setFocused(undefined)
  }

  const columns = rows[0]?.tiles.length ?? 1
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (!hasTabStop || event.altKey || event.ctrlKey || event.metaKey) return
    const steps: Partial<Record<string, number>> = {
      ArrowRight: isRightToLeft ? -1 : 1,
      ArrowLeft: isRightToLeft ? 1 : -1,
      ArrowDown: columns,
      ArrowUp: -columns,
      Home: -count,
      End: count,
    }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const index = Number((event.target as Element).closest<HTMLElement>('[data-index]')?.dataset.index)
    focusAt(Math.min(count - 1, Math.max(0, index + step)))
  }

  const shown = new Set<number>()
  for (let row = visible.first; row <= visible.last; row += 1) shown.add(row)
  // The cell with the focus and its neighbours stay in the document: Tab works at any scroll position.
  if (focusedIndex !== undefined) {
    const row = findRowOf(rows, focusedIndex)
    for (const kept of [row - 1, row, row + 1]) shown.add(kept)
  }
  const cells = [...shown]
    .sort((one, other) => one - other)
    .flatMap((row) => {
      const { top, height, tiles } = rows[row] ?? { top: 0, height: 0, tiles: [] }
      return tiles.map((tile) => ({ ...tile, top, height }))
    })
  const tabStop = focusedIndex ?? cells[0]?.index
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys move the focus between its cells
    <ul
      ref={list}
      role="list"
      className={styles.grid}
      style={{ height: getTotalHeight(rows) }}
      onFocus={handleFocus}
      onBlur={handleBlur}
      onKeyDown={handleKeyDown}
    >
      {cells.map(({ index, start, width: cellWidth, top, height }) => {
        const upload = uploads[index]
        const x = Math.round(isRightToLeft ? -start : start)
        return (
          upload && (
            <li
              key={upload._id}
              data-index={index}
              aria-setsize={count}
              aria-posinset={index + 1}
              className={`${styles.cell} ${isAnimated ? styles.animated : ''}`}
              style={{ width: cellWidth, height, transform: `translate(${x}px, ${Math.round(top)}px)` }}
            >
              {children(upload, {
                index,
                gridWidth: width,
                isTabStop: index === tabStop,
              })}
            </li>
          )
        )
      })}
    </ul>
  )
}
