import { useEffect, useMemo, useRef, useState, type FocusEvent } from 'react'
import type { GalleryUpload } from '@confetti/contracts'
import styles from './gallery-grid.module.css'
import { GalleryTile } from './gallery-tile.tsx'
import { getGridSize, getTotalHeight, layOutRows } from './layout-rows.ts'
import { useVisibleRows, useWidth } from './use-visible-rows.ts'

/** About one screen of a phone. */
const FIRST_TILES = 8

interface Props {
  uploads: readonly GalleryUpload[]
  onOpen: (id: string) => void
  onLinkFailed: () => void
  /** Called with the indices of the first and the last upload in the document. */
  onRange: (first: number, last: number) => void
}

/** A justified grid of any length: only the rows near the screen are in the document. */
export const GalleryGrid = ({ uploads, onOpen, onLinkFailed, onRange }: Props) => {
  const list = useRef<HTMLUListElement>(null)
  const width = useWidth(list)
  const size = useMemo(() => getGridSize(width), [width])
  const rows = useMemo(() => layOutRows(uploads, size), [uploads, size])
  const { first, last } = useVisibleRows(list, rows)
  const [focusedRow, setFocusedRow] = useState<number>()

  const firstIndex = rows[first]?.tiles[0]?.index ?? 0
  const lastIndex = rows[last]?.tiles.at(-1)?.index ?? 0
  useEffect(() => onRange(firstIndex, lastIndex), [onRange, firstIndex, lastIndex, uploads.length])

  const handleFocus = ({ target }: FocusEvent): void => {
    const row = target.closest<HTMLElement>('[data-row]')?.dataset.row
    setFocusedRow(row === undefined ? undefined : Number(row))
  }
  // The tile with the focus and its neighbours stay in the document: Tab works at any scroll position.
  const kept = focusedRow === undefined ? [] : [focusedRow - 1, focusedRow, focusedRow + 1]
  const shown = new Set(kept)
  for (let row = first; row <= last; row += 1) shown.add(row)

  return (
    <ul
      ref={list}
      role="list"
      className={styles.grid}
      style={{ height: getTotalHeight(rows) }}
      onFocus={handleFocus}
    >
      {[...shown]
        .sort((one, other) => one - other)
        .flatMap((row) => (rows[row]?.tiles ?? []).map((tile) => ({ ...tile, row })))
        .map(({ row, index, start, width: tileWidth }) => {
          const upload = uploads[index]
          const { top = 0, height = 0 } = rows[row] ?? {}
          return (
            upload && (
              <li
                key={upload._id}
                data-row={row}
                aria-setsize={uploads.length}
                aria-posinset={index + 1}
                className={styles.cell}
                style={{ insetBlockStart: top, insetInlineStart: start, width: tileWidth, height }}
              >
                <GalleryTile
                  upload={upload}
                  isFirst={index < FIRST_TILES}
                  onOpen={onOpen}
                  onLinkFailed={onLinkFailed}
                />
              </li>
            )
          )
        })}
    </ul>
  )
}
