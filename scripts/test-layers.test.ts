import { execFileSync } from 'node:child_process'
import { expect, test } from '@jest/globals'
import { root } from './paths.ts'
import { layerOf, layers, testRegexOf } from './test-layers.ts'

const files = execFileSync('git', ['ls-files', '*.test.ts', '*.test.tsx'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')

test('Every test file belongs to one layer, and Jest finds it there and nowhere else', () => {
  expect(files.length).toBeGreaterThan(100)
  for (const file of files) {
    const found = layers.filter((layer) =>
      new RegExp(testRegexOf('/home/a+b', layer)).test(`/home/a+b/${file}`),
    )
    expect([file, found]).toEqual([file, [layerOf(file)]])
  }
})

test.each(['libs/ui/test/dialog.test.ts', 'docs/page.test.ts', 'services/uploads/src/a.other.test.ts'])(
  'When a test file is named %s, then no layer has it',
  (file) => {
    expect(() => layerOf(file)).toThrow('belongs to no layer')
  },
)
