import { expect, test } from '@jest/globals'
import { MB } from '@confetti/contracts'
import { formatFiles, formatSize } from './format-size.ts'

test.each([
  [1, '1 file'],
  [2, '2 files'],
  [1_234, '1,234 files'],
])('When there are %i files, then the text is "%s"', (count, text) => {
  expect(formatFiles(count)).toBe(text)
})

test.each([
  [1, '0.1 MB'],
  [3.42 * MB, '3.4 MB'],
  [1_000 * MB, '1,000 MB'],
  [5.6 * 1_024 * MB, '5.6 GB'],
])('When a size is %d bytes, then the text is "%s"', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text)
})
