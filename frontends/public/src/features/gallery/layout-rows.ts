import type { GalleryUpload } from '@confetti/contracts'

interface GridTile {
  /** Of the upload in the list. */
  index: number
  /** The distance from the start of the row. */
  start: number
  width: number
}

export interface GridRow {
  top: number
  height: number
  tiles: readonly GridTile[]
}

export interface GridSize {
  width: number
  gap: number
  targetHeight: number
}

// Wider and taller pictures are cropped.
const MIN_RATIO = 0.6
const MAX_RATIO = 2.4

const getRatio = ({ width, height }: Pick<GalleryUpload, 'width' | 'height'>): number =>
  Math.min(MAX_RATIO, Math.max(MIN_RATIO, width / height))

/** The size of the grid for a width in pixels. */
export const getGridSize = (width: number): GridSize =>
  width < 560 ? { width, gap: 4, targetHeight: 130 } : { width, gap: 8, targetHeight: 220 }

/**
 * Arranges pictures in rows that fill the width, each row with pictures of the same height, which is about the target
 * height. The last row keeps the target height.
 */
export const layOutRows = (
  pictures: readonly Pick<GalleryUpload, 'width' | 'height'>[],
  { width, gap, targetHeight }: GridSize,
): readonly GridRow[] => {
  const rows: GridRow[] = []
  if (width <= 0) return rows
  let top = 0
  let first = 0
  let ratios: number[] = []

  const addRow = (height: number): void => {
    let start = 0
    const tiles = ratios.map((ratio, offset) => {
      const tile = { index: first + offset, start, width: ratio * height }
      start += tile.width + gap
      return tile
    })
    rows.push({ top, height, tiles })
    top += height + gap
    first += ratios.length
    ratios = []
  }

  for (const picture of pictures) {
    ratios.push(getRatio(picture))
    const height = (width - (ratios.length - 1) * gap) / ratios.reduce((sum, ratio) => sum + ratio, 0)
    if (height <= targetHeight) addRow(height)
  }
  if (ratios.length > 0) addRow(targetHeight)
  return rows
}

/** The height of all rows together. */
export const getTotalHeight = (rows: readonly GridRow[]): number => {
  const last = rows.at(-1)
  return last ? last.top + last.height : 0
}

/** The indices of the first and the last row between two heights, by binary search. */
export const findRows = (
  rows: readonly GridRow[],
  top: number,
  bottom: number,
): { first: number; last: number } => {
  const findFirst = (isPast: (row: GridRow) => boolean): number => {
    let low = 0
    let high = rows.length
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const row = rows[middle]
      if (row && isPast(row)) high = middle
      else low = middle + 1
    }
    return low
  }
  return {
    first: findFirst((row) => row.top + row.height >= top),
    last: findFirst((row) => row.top > bottom) - 1,
  }
}
