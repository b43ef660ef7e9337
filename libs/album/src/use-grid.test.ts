import { expect, test } from '@jest/globals'
import { gridFor } from './use-grid.ts'

test.each([
  [288, 1],
  [343, 2],
  [736, 2],
  [984, 3],
  [1_216, 4],
])('When the width is %s pixels, then there are %s columns that fill it', (width, columns) => {
  const grid = gridFor(width)
  expect(grid.columns).toBe(columns)
  expect(grid.cardWidth * columns + grid.gap * (columns - 1)).toBeCloseTo(width)
})
