import { expect, test } from '@jest/globals'
import { parseWallSettings } from './wall.tsx'

test.each([
  ['', { slideMs: 8_000, hasNames: true }],
  ['seconds=12&names=off', { slideMs: 12_000, hasNames: false }],
  ['seconds=0.1', { slideMs: 3_000, hasNames: true }],
  ['seconds=1e9', { slideMs: 120_000, hasNames: true }],
  ['seconds=soon', { slideMs: 8_000, hasNames: true }],
])("When the query of a wall is '%s', then its settings are %j", (query, settings) => {
  expect(parseWallSettings(new URLSearchParams(query))).toEqual(settings)
})
