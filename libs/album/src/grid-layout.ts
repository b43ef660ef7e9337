// Where the pictures of a grid are, in pixels.

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

interface CardSize {
  columns: number
  cardWidth: number
  cardHeight: number
  gap: number
  /** Whether there are two columns on a phone. */
  isNarrow: boolean
}

const PHONE_WIDTH_PX = 560
const ACTIONS_HEIGHT_PX = 60
const MIN_CARD_WIDTH_PX = 280

/** The size of cards for a width: two columns on most phones, otherwise as many as the minimum card width allows. */
export const getCardSize = (width: number): CardSize => {
  const isPhone = width < PHONE_WIDTH_PX
  const gap = isPhone ? 12 : 16
  const columns = isPhone ? (width < 330 ? 1 : 2) : Math.floor((width + gap) / (MIN_CARD_WIDTH_PX + gap))
  const cardWidth = (width - (columns - 1) * gap) / columns
  const isNarrow = isPhone && columns > 1
  // The caption of a narrow card takes more lines.
  const mediaHeight = Math.round(cardWidth * (isNarrow ? 1.25 : 0.75))
  return { columns, cardWidth, cardHeight: mediaHeight + ACTIONS_HEIGHT_PX, gap, isNarrow }
}

/** Arranges cards, which have all the same size. */
export const layOutCards = (count: number, width: number): readonly GridRow[] => {
  const { columns, cardWidth, cardHeight, gap } = getCardSize(width)
  return Array.from({ length: Math.ceil(count / columns) }, (_, row) => ({
    top: row * (cardHeight + gap),
    height: cardHeight,
    tiles: Array.from({ length: Math.min(columns, count - row * columns) }, (__, column) => ({
      index: row * columns + column,
      start: column * (cardWidth + gap),
      width: cardWidth,
    })),
  }))
}

// Wider and taller pictures are cropped.
const MIN_RATIO = 0.6
const MAX_RATIO = 2.4

interface PictureSize {
  width: number
  height: number
}

const getRatio = ({ width, height }: PictureSize): number =>
  Math.min(MAX_RATIO, Math.max(MIN_RATIO, width / height))

/**
 * Arranges pictures in rows that fill the width, each row with pictures of the same height, which is about 130 px on a phone
 * and 220 px elsewhere. The last row keeps this height.
 */
export const layOutPictures = (pictures: readonly PictureSize[], width: number): readonly GridRow[] => {
  const rows: GridRow[] = []
  if (width <= 0) return rows
  const [gap, targetHeight] = width < PHONE_WIDTH_PX ? [4, 130] : [8, 220]
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

/** The index of the first row for which `isPast` is true, as it is for all rows after it, by binary search. */
const findFirstRow = (rows: readonly GridRow[], isPast: (row: GridRow) => boolean): number => {
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

/** The indices of the first and the last row between two heights. */
export const findRows = (
  rows: readonly GridRow[],
  top: number,
  bottom: number,
): { first: number; last: number } => ({
  first: findFirstRow(rows, (row) => row.top + row.height >= top),
  last: findFirstRow(rows, (row) => row.top > bottom) - 1,
})

/** The index of the row that has an upload. */
export const findRowOf = (rows: readonly GridRow[], index: number): number =>
  findFirstRow(rows, ({ tiles }) => (tiles.at(-1)?.index ?? 0) >= index)
