import { useCallback, useEffect, useRef, useState, type FocusEvent } from 'react'
import { defaultRangeExtractor, useWindowVirtualizer, type Range } from '@tanstack/react-virtual'
import type { Upload } from '@confetti/contracts'
import styles from './gallery.module.css'
import { Lightbox } from './lightbox.tsx'
import { UploadCard } from './upload-card.tsx'
import { useBackCloses } from './use-back-closes.ts'
import { useFocusStays, type Place } from './use-focus-stays.ts'
import { useGrid } from './use-grid.ts'
import { useShown } from './use-shown.ts'

interface Props {
  /** Newest first. */
  uploads: readonly Upload[]
  /** The ids of those that have just come. */
  arrived: ReadonlySet<string>
  /** Brings the list with fresh links. */
  refresh: () => Promise<readonly Upload[]>
  /** Where it is given, each card has a button for it. */
  onDelete?: (upload: Upload) => void
  /** The ids of those that are being deleted. */
  leaving?: ReadonlySet<string>
}

const none: ReadonlySet<string> = new Set()
// The header, and some air.
const HEADER = 80
const ROWS_AROUND = 2
const DRAWINGS = 20

/** A grid of uploads of any number: only the cards around the window are in the document. */
export const Gallery = ({ uploads, arrived, refresh, onDelete, leaving = none }: Props) => {
  const list = useRef<HTMLUListElement>(null)
  const { columns, cardWidth, cardHeight, gap, top, narrow } = useGrid(list)
  const [focused, setFocused] = useState<Place>()
  const [openId, setOpenId] = useState<string>()
  const [away, setAway] = useState(false)
  const { shown, waiting } = useShown(uploads, away)

  const focusedRow = focused && Math.floor(focused.index / columns)
  const virtualizer = useWindowVirtualizer({
    count: Math.ceil(shown.length / columns),
    estimateSize: () => cardHeight,
    gap,
    overscan: ROWS_AROUND,
    scrollMargin: top,
    scrollPaddingStart: HEADER,
    // A card that has the focus stays, wherever the page is scrolled to, and so do those that Tab goes to from it.
    rangeExtractor: (range: Range) => {
      const rows = new Set(defaultRangeExtractor(range))
      if (focusedRow !== undefined)
        for (let row = focusedRow - 1; row <= focusedRow + ROWS_AROUND; row += 1)
          if (row >= 0 && row < range.count) rows.add(row)
      return [...rows].sort((one, other) => one - other)
    },
    onChange: ({ scrollOffset }) => setAway((scrollOffset ?? 0) > top),
  })
  useEffect(() => virtualizer.measure(), [virtualizer, columns, cardHeight])

  const focusAt = useCallback(
    (index: number): void => {
      virtualizer.scrollToIndex(Math.floor(index / columns), { align: 'auto', behavior: 'instant' })
      let left = DRAWINGS
      // Scrolled to, the card is there some drawings later.
      const focus = (): void => {
        const opener = list.current?.querySelector<HTMLElement>(`[data-index="${index}"] [data-open]`)
        if (opener) opener.focus({ preventScroll: true })
        else if ((left -= 1) > 0) requestAnimationFrame(focus)
      }
      focus()
    },
    [virtualizer, columns],
  )
  useFocusStays(shown, focused, focusAt)

  const onStale = useCallback(() => {
    // If it fails, the list is asked for again anyway.
    refresh().catch(() => undefined)
  }, [refresh])
  const open = useCallback(({ _id }: Upload) => setOpenId(_id), [])
  const close = useCallback(() => setOpenId(undefined), [])
  const isOpen = uploads.some(({ _id }) => _id === openId)
  useBackCloses(isOpen, close)

  const noteFocus = ({ target }: FocusEvent): void => {
    const index = Number(target.closest<HTMLElement>('[data-index]')?.dataset.index)
    const upload = shown[index]
    if (upload) setFocused({ id: upload._id, index })
  }
  const noteBlur = ({ relatedTarget }: FocusEvent): void => {
    if (relatedTarget && !list.current?.contains(relatedTarget)) setFocused(undefined)
  }

  const cells = virtualizer
    .getVirtualItems()
    .flatMap((row) =>
      shown
        .slice(row.index * columns, (row.index + 1) * columns)
        .map((upload, column) => ({ upload, column, row })),
    )
  return (
    <>
      <div role="status" className={styles.fresh}>
        {waiting > 0 && (
          <button type="button" onClick={() => window.scrollTo({ top: 0 })}>
            {waiting} new
          </button>
        )}
      </div>
      <ul
        ref={list}
        className={styles.grid}
        style={{ height: virtualizer.getTotalSize() }}
        onFocus={noteFocus}
        onBlur={noteBlur}
      >
        {cells.map(({ upload, column, row }) => (
          <li
            key={upload._id}
            data-index={row.index * columns + column}
            aria-setsize={shown.length}
            aria-posinset={row.index * columns + column + 1}
            className={styles.cell}
            style={{
              width: cardWidth,
              height: cardHeight,
              transform: `translate(${column * (cardWidth + gap)}px, ${row.start - top}px)`,
            }}
          >
            <UploadCard
              upload={upload}
              narrow={narrow}
              arrived={arrived.has(upload._id)}
              leaving={leaving.has(upload._id)}
              onOpen={open}
              refresh={refresh}
              onStale={onStale}
              onDelete={onDelete}
            />
          </li>
        ))}
      </ul>
      {openId && isOpen && (
        <Lightbox
          uploads={uploads}
          id={openId}
          onShow={setOpenId}
          onClose={close}
          onClosed={(id) =>
            focusAt(
              Math.max(
                0,
                shown.findIndex(({ _id }) => _id === id),
              ),
            )
          }
          refresh={refresh}
          onStale={onStale}
        />
      )}
    </>
  )
}
