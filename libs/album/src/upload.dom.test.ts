import { expect, test } from '@jest/globals'
import { MB } from '@confetti/contracts'
import { loadCatalogues } from '@confetti/i18n'
import { uiCatalogue } from '@confetti/ui/texts'
import { formatCount, formatSize } from './upload.ts'
import { albumCatalogue } from './texts.ts'

await loadCatalogues([albumCatalogue, uiCatalogue])

test.each([
  [1, '1'],
  [1_234, '1,234'],
  [3.2468, '3.2'],
])('When the number is %d, then the text is "%s"', (count, text) => {
  expect(formatCount(count)).toBe(text)
})

test.each([
  [0, '0 MB'],
  [1, '0.1 MB'],
  [3.42 * MB, '3.4 MB'],
  [1_000 * MB, '1,000 MB'],
  [5.6 * 1_024 * MB, '5.6 GB'],
])('When a size is %d bytes, then the text is "%s"', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text)
})
