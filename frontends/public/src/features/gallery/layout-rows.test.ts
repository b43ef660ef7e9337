import { expect, test } from '@jest/globals'
import { findRows, getGridSize, getTotalHeight, layOutRows } from './layout-rows.ts'

const landscape = { width: 400, height: 300 }
const portrait = { width: 300, height: 400 }
const size = { width: 600, gap: 6, targetHeight: 150 }

test('When pictures are arranged, then all rows but the last fill the width, and none is lost', () => {
  const pictures = Array.from({ length: 100 }, (_, index) => (index % 3 ? landscape : portrait))
  const rows = layOutRows(pictures, size)
  expect(rows.flatMap(({ tiles }) => tiles.map(({ index }) => index))).toEqual(
    pictures.map((_, index) => index),
  )
  for (const { tiles, height } of rows.slice(0, -1)) {
    const last = tiles.at(-1)
    expect(last && last.start + last.width).toBeCloseTo(size.width)
    expect(height).toBeLessThanOrEqual(size.targetHeight)
    expect(height).toBeGreaterThan(60)
  }
  for (const [index, row] of rows.slice(1).entries()) {
    const before = rows[index]
    expect(before && before.top + before.height + size.gap).toBeCloseTo(row.top)
  }
})

test('When there is one picture, then it is not enlarged to the width', () => {
  expect(layOutRows([landscape], size)).toEqual([
    { top: 0, height: 150, tiles: [{ index: 0, start: 0, width: 200 }] },
  ])
})

test('When a picture is very wide or very tall, then its tile is cropped', () => {
  const [row] = layOutRows(
    [
      { width: 10_000, height: 10 },
      { width: 10, height: 10_000 },
    ],
    size,
  )
  expect(row?.tiles.map(({ width }) => Math.round((width / (row.height || 1)) * 10) / 10)).toEqual([2.4, 0.6])
})

test('When the width is not known yet, then there are no rows', () => {
  expect(layOutRows([landscape], getGridSize(0))).toEqual([])
  expect(getTotalHeight([])).toBe(0)
})

test('When a part of the page is on the screen, then the rows in it are found', () => {
  const rows = layOutRows(
    Array.from({ length: 10_000 }, () => landscape),
    size,
  )
  const { top } = rows[1_000] ?? { top: 0 }
  const { first, last } = findRows(rows, top, top + 700)
  expect(first).toBe(1_000)
  expect(last - first).toBeLessThan(8)
  expect(findRows(rows, -1_000, -500)).toEqual({ first: 0, last: -1 })
})
