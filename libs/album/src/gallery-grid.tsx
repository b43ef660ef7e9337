import { useCallback, useEffect, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react'
import { defaultRangeExtractor, useWindowVirtualizer, type Range } from '@tanstack/react-virtual'
import type { Upload } from '@confetti/contracts'
import { getDirection, useLocale } from '@confetti/i18n'
import { DownloadButton } from './download-button.tsx'
import styles from './gallery-grid.module.css'
import { LazyViewer } from './lazy-viewer.tsx'
import { SelectableCard } from './selectable-card.tsx'
import { useText } from './texts.ts'
import { UploadCard } from './upload-card.tsx'
import { findPreloadUrl, toMedium, UploadCredit } from './upload-medium.tsx'
import { useGrid } from './use-grid.ts'
import { useKeepCardFocus } from './use-keep-card-focus.ts'
import type { ChangeVisibility } from './visibility-actions.ts'

interface Props {
  /** In the order of the cards. */
  uploads: readonly Upload[]
  /** Also the uploads that the gallery does not show. */
  allUploads: readonly Upload[]
  /** The ids of the uploads that have just arrived. */
  arrivedIds: ReadonlySet<string>
  /** Resolves with the list and fresh links. */
  refresh: () => Promise<readonly Upload[]>
  /** Called when a picture or video fails to load: its link may have expired. */
  onLinkFailed: () => void
  /** Called on scrolling with whether the page is scrolled down beyond the first card. */
  onScroll: (isScrolledDown: boolean) => void
  /** Adds a delete button to each card. */
  onDelete: ((upload: Upload) => void) | undefined
  deletingIds: ReadonlySet<string>
  /** Adds buttons to each card that show and hide its upload. */
  onVisibility: ChangeVisibility | undefined
  /** The ids of the selected uploads; undefined outside selection mode. */
  selectedIds: ReadonlySet<string> | undefined
  /** Called in selection mode when a card is chosen; `extendsRange` is set while Shift is down. */
  onSelect: (upload: Upload, extendsRange: boolean) => void
}

// The page's fixed header and a margin.
const HEADER_HEIGHT_PX = 80
// The bar below the cards in selection mode, on a phone.
const SELECTION_BAR_HEIGHT_PX = 220
const OVERSCAN_ROWS = 2
const MAX_FOCUS_FRAMES = 20

/** A grid for thousands of uploads: only the cards near the viewport are in the document. */
export const GalleryGrid = ({
  uploads,
  allUploads,
  arrivedIds,
  refresh,
  onLinkFailed,
  onScroll,
  onDelete,
  deletingIds,
  onVisibility,
  selectedIds,
  onSelect,
}: Props) => {
  const t = useText()
  const isRightToLeft = getDirection(useLocale()) === 'rtl'
  const list = useRef<HTMLUListElement>(null)
  const { columns, cardWidth, cardHeight, gap, top, isNarrow } = useGrid(list)
  const [focused, setFocused] = useState<{ id: string; index: number }>()
  const [openId, setOpenId] = useState<string>()

  const indexOf = (id: string): number => uploads.findIndex(({ _id }) => _id === id)
  const currentIndex = focused ? indexOf(focused.id) : -1
  // The card that takes the place of a removed one.
  const nextIndex = focused && uploads.length > 0 ? Math.min(focused.index, uploads.length - 1) : undefined
  const focusedIndex = currentIndex === -1 ? nextIndex : currentIndex
  const focusedRow = focusedIndex !== undefined && Math.floor(focusedIndex / columns)
  const virtualizer = useWindowVirtualizer({
    count: Math.ceil(uploads.length / columns),
    estimateSize: () => cardHeight,
    gap,
    overscan: OVERSCAN_ROWS,
    scrollMargin: top,
    scrollPaddingStart: HEADER_HEIGHT_PX,
    scrollPaddingEnd: selectedIds ? SELECTION_BAR_HEIGHT_PX : 0,
    // The card with the focus and its neighbours stay in the document: Tab works at any scroll position.
    rangeExtractor: (range: Range) => {
      const rows = new Set(defaultRangeExtractor(range))
      if (focusedRow !== false)
        for (let row = focusedRow - 1; row <= focusedRow + OVERSCAN_ROWS; row += 1)
          if (row >= 0 && row < range.count) rows.add(row)
      return [...rows].sort((one, other) => one - other)
    },
    onChange: ({ scrollOffset }) => onScroll((scrollOffset ?? 0) > top),
  })
  useEffect(() => virtualizer.measure(), [virtualizer, columns, cardHeight])

  const focusAt = useCallback(
    (index: number): void => {
      virtualizer.scrollToIndex(Math.floor(index / columns), { align: 'auto', behavior: 'instant' })
      let framesLeft = MAX_FOCUS_FRAMES
      // The card is rendered some frames after the scroll.
      const focus = (): void => {
        const opener = list.current?.querySelector<HTMLElement>(`[data-index="${index}"] [data-main]`)
        if (opener) opener.focus({ preventScroll: true })
        else if ((framesLeft -= 1) > 0) requestAnimationFrame(focus)
      }
      focus()
    },
    [virtualizer, columns],
  )
  const keepFocus = useKeepCardFocus(focusedIndex, focusAt)

  const open = useCallback(({ _id }: Upload) => setOpenId(_id), [])
  const close = useCallback(() => setOpenId(undefined), [])
  // An upload whose status changes may leave the cards while it is open.
  const openUpload = openId === undefined ? undefined : allUploads.find(({ _id }) => _id === openId)

  const handleFocus = ({ target }: FocusEvent): void => {
    keepFocus.onFocus()
    const index = Number(target.closest<HTMLElement>('[data-index]')?.dataset.index)
    const upload = uploads[index]
    if (upload) setFocused({ id: upload._id, index })
  }
  const handleBlur = ({ relatedTarget }: FocusEvent): void => {
    keepFocus.onBlur()
    // In selection mode Tab comes back to the same card.
    if (relatedTarget && !list.current?.contains(relatedTarget) && !selectedIds) setFocused(undefined)
  }

  const count = uploads.length
  const handleCardKeyDown = useCallback(
    (event: KeyboardEvent): void => {
      if (event.altKey || event.ctrlKey || event.metaKey) return
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
      const index = Number(event.currentTarget.closest<HTMLElement>('[data-index]')?.dataset.index)
      focusAt(Math.min(count - 1, Math.max(0, index + step)))
    },
    [columns, count, focusAt, isRightToLeft],
  )

  const columnStep = (cardWidth + gap) * (isRightToLeft ? -1 : 1)
  const cells = virtualizer.getVirtualItems().flatMap((row) =>
    uploads.slice(row.index * columns, (row.index + 1) * columns).map((upload, column) => ({
      upload,
      index: row.index * columns + column,
      transform: `translate(${column * columnStep}px, ${row.start - top}px)`,
    })),
  )
  const tabStop = focusedIndex ?? cells[0]?.index
  return (
    <>
      <ul
        ref={list}
        className={styles.grid}
        style={{ height: virtualizer.getTotalSize() }}
        onFocus={handleFocus}
        onBlur={handleBlur}
      >
        {cells.map(({ upload, index, transform }) => (
          <li
            key={upload._id}
            data-index={index}
            aria-setsize={uploads.length}
            aria-posinset={index + 1}
            className={styles.cell}
            style={{ width: cardWidth, height: cardHeight, transform }}
          >
            {selectedIds ? (
              <SelectableCard
                upload={upload}
                isNarrow={isNarrow}
                isSelected={selectedIds.has(upload._id)}
                isTabStop={index === tabStop}
                onSelect={onSelect}
                onKeyDown={handleCardKeyDown}
                onLinkFailed={onLinkFailed}
              />
            ) : (
              <UploadCard
                upload={upload}
                isNarrow={isNarrow}
                hasArrived={arrivedIds.has(upload._id)}
                isDeleting={deletingIds.has(upload._id)}
                onOpen={open}
                refresh={refresh}
                onLinkFailed={onLinkFailed}
                onDelete={onDelete}
                onVisibility={onVisibility}
              />
            )}
          </li>
        ))}
      </ul>
      {openUpload && (
        <LazyViewer
          uploads={uploads}
          openId={openUpload._id}
          upload={openUpload}
          toMedium={(upload) => toMedium(t, upload)}
          findPreloadUrl={findPreloadUrl}
          formatPosition={(position) => t('album.lightbox.position', { position, total: count })}
          missingText={t('album.lightbox.filtered')}
          title={({ originalName }) => <bdi>{originalName}</bdi>}
          actions={(upload) => (
            <DownloadButton key={upload._id} variant="ghost" upload={upload} refresh={refresh} />
          )}
          caption={(upload) => <UploadCredit upload={upload} />}
          onShow={setOpenId}
          onClose={close}
          onClosed={(index) => focusAt(Math.max(0, Math.min(index, count - 1)))}
          onLinkFailed={onLinkFailed}
        />
      )}
    </>
  )
}
