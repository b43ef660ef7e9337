import { expect, test } from '@jest/globals'
import {
  findRowOf,
  findRows,
  getCardSize,
  getTotalHeight,
  layOutCards,
  layOutPictures,
} from './grid-layout.ts'

const landscape = { width: 400, height: 300 }
const portrait = { width: 300, height: 400 }
const WIDTH = 600
const GAP = 8
const TARGET_HEIGHT = 220

test('When pictures are arranged, then all rows but the last fill the width, and none is lost', () => {
  const pictures = Array.from({ length: 100 }, (_, index) => (index % 3 ? landscape : portrait))
  const rows = layOutPictures(pictures, WIDTH)
  expect(rows.flatMap(({ tiles }) => tiles.map(({ index }) => index))).toEqual(
    pictures.map((_, index) => index),
  )
  for (const { tiles, height } of rows.slice(0, -1)) {
    const last = tiles.at(-1)
    expect(last && last.start + last.width).toBeCloseTo(WIDTH)
    expect(height).toBeLessThanOrEqual(TARGET_HEIGHT)
    expect(height).toBeGreaterThan(60)
  }
  for (const [index, row] of rows.slice(1).entries()) {
    const before = rows[index]
    expect(before && before.top + before.height + GAP).toBeCloseTo(row.top)
  }
})

test('When there is one picture, then it is not enlarged to the width', () => {
  expect(layOutPictures([landscape], WIDTH)).toEqual([
    { top: 0, height: 220, tiles: [{ index: 0, start: 0, width: expect.closeTo(293.3, 1) }] },
  ])
})

test('When a picture is very wide or very tall, then its tile is cropped', () => {
  const [row] = layOutPictures(
    [
      { width: 10_000, height: 10 },
      { width: 10, height: 10_000 },
    ],
    WIDTH,
  )
  expect(row?.tiles.map(({ width }) => Math.round((width / (row.height || 1)) * 10) / 10)).toEqual([2.4, 0.6])
})

test('When the width is not known yet, then there are no rows', () => {
  expect(layOutPictures([landscape], 0)).toEqual([])
  expect(getTotalHeight([])).toBe(0)
})

test('When a part of the page is on the screen, then the rows in it are found', () => {
  const rows = layOutPictures(
    Array.from({ length: 10_000 }, () => landscape),
    WIDTH,
  )
  const { top } = rows[1_000] ?? { top: 0 }
  const { first, last } = findRows(rows, top, top + 700)
  expect(first).toBe(1_000)
  expect(last - first).toBeLessThan(8)
  expect(findRows(rows, -1_000, -500)).toEqual({ first: 0, last: -1 })
})

test.each([
  [288, 1],
  [343, 2],
  [736, 2],
  [984, 3],
  [1_216, 4],
])('When the width is %s pixels, then there are %s columns of cards that fill it', (width, columns) => {
  const size = getCardSize(width)
  expect(size.columns).toBe(columns)
  expect(size.cardWidth * columns + size.gap * (columns - 1)).toBeCloseTo(width)
})

test('When cards are arranged, then the row of each is found', () => {
  const rows = layOutCards(10, 984)
  expect(rows.map(({ tiles }) => tiles.length)).toEqual([3, 3, 3, 1])
  for (const [row, { tiles }] of rows.entries())
    for (const { index } of tiles) expect(findRowOf(rows, index)).toBe(row)
})
