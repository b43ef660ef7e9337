import { useCallback, useEffect, useRef, useState, type FocusEvent } from 'react'
import { defaultRangeExtractor, useWindowVirtualizer, type Range } from '@tanstack/react-virtual'
import type { Upload } from '@confetti/contracts'
import styles from './gallery.module.css'
import { Lightbox } from './lightbox.tsx'
import { UploadCard } from './upload-card.tsx'
import { useCloseOnBack } from './use-close-on-back.ts'
import { useDeferredUploads } from './use-deferred-uploads.ts'
import { useGrid } from './use-grid.ts'
import { useKeepFocus, type FocusedUpload } from './use-keep-focus.ts'

interface Props {
  /** Newest first. */
  uploads: readonly Upload[]
  /** The ids of the uploads that have just arrived. */
  arrivedIds: ReadonlySet<string>
  /** Resolves with the list and fresh links. */
  refresh: () => Promise<readonly Upload[]>
  /** Adds a delete button to each card. */
  onDelete?: (upload: Upload) => void
  deletingIds?: ReadonlySet<string>
}

const noIds: ReadonlySet<string> = new Set()
// The page's fixed header and a margin.
const HEADER_HEIGHT_PX = 80
const OVERSCAN_ROWS = 2
const MAX_FOCUS_FRAMES = 20

/** A grid for thousands of uploads: only the cards near the viewport are in the document. */
export const Gallery = ({ uploads, arrivedIds, refresh, onDelete, deletingIds = noIds }: Props) => {
  const list = useRef<HTMLUListElement>(null)
  const { columns, cardWidth, cardHeight, gap, top, isNarrow } = useGrid(list)
  const [focused, setFocused] = useState<FocusedUpload>()
  const [openId, setOpenId] = useState<string>()
  const [isScrolledDown, setIsScrolledDown] = useState(false)
  const { shown, deferredCount } = useDeferredUploads(uploads, isScrolledDown)

  const focusedRow = focused && Math.floor(focused.index / columns)
  const virtualizer = useWindowVirtualizer({
    count: Math.ceil(shown.length / columns),
    estimateSize: () => cardHeight,
    gap,
    overscan: OVERSCAN_ROWS,
    scrollMargin: top,
    scrollPaddingStart: HEADER_HEIGHT_PX,
    // The card with the focus and its neighbours stay in the document: Tab works at any scroll position.
    rangeExtractor: (range: Range) => {
      const rows = new Set(defaultRangeExtractor(range))
      if (focusedRow !== undefined)
        for (let row = focusedRow - 1; row <= focusedRow + OVERSCAN_ROWS; row += 1)
          if (row >= 0 && row < range.count) rows.add(row)
      return [...rows].sort((one, other) => one - other)
    },
    onChange: ({ scrollOffset }) => setIsScrolledDown((scrollOffset ?? 0) > top),
  })
  useEffect(() => virtualizer.measure(), [virtualizer, columns, cardHeight])

  const focusAt = useCallback(
    (index: number): void => {
      virtualizer.scrollToIndex(Math.floor(index / columns), { align: 'auto', behavior: 'instant' })
      let framesLeft = MAX_FOCUS_FRAMES
      // The card is rendered some frames after the scroll.
      const focus = (): void => {
        const opener = list.current?.querySelector<HTMLElement>(`[data-index="${index}"] [data-open]`)
        if (opener) opener.focus({ preventScroll: true })
        else if ((framesLeft -= 1) > 0) requestAnimationFrame(focus)
      }
      focus()
    },
    [virtualizer, columns],
  )
  useKeepFocus(shown, focused, focusAt)

  const onLinkFailed = useCallback(() => {
    // After a failure the next poll renews the links.
    refresh().catch(() => undefined)
  }, [refresh])
  const open = useCallback(({ _id }: Upload) => setOpenId(_id), [])
  const close = useCallback(() => setOpenId(undefined), [])
  const isOpen = uploads.some(({ _id }) => _id === openId)
  useCloseOnBack(isOpen, close)

  const handleFocus = ({ target }: FocusEvent): void => {
    const index = Number(target.closest<HTMLElement>('[data-index]')?.dataset.index)
    const upload = shown[index]
    if (upload) setFocused({ id: upload._id, index })
  }
  const handleBlur = ({ relatedTarget }: FocusEvent): void => {
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
      <div role="status" className={styles.newUploads}>
        {deferredCount > 0 && (
          <button type="button" onClick={() => window.scrollTo({ top: 0 })}>
            {deferredCount} new
          </button>
        )}
      </div>
      <ul
        ref={list}
        className={styles.grid}
        style={{ height: virtualizer.getTotalSize() }}
        onFocus={handleFocus}
        onBlur={handleBlur}
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
              isNarrow={isNarrow}
              hasArrived={arrivedIds.has(upload._id)}
              isDeleting={deletingIds.has(upload._id)}
              onOpen={open}
              refresh={refresh}
              onLinkFailed={onLinkFailed}
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
          onLinkFailed={onLinkFailed}
        />
      )}
    </>
  )
}
