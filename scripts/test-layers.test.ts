import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { root } from './paths.ts'
import { layerOf, testRegexOf, type Layer } from './test-layers.ts'

const { default: config } = (await import(join(root, 'jest.config.js'))) as {
  default: { projects: { displayName: Layer; testRegex: string }[] }
}

const files = execFileSync('git', ['ls-files', '*.test.ts', '*.test.tsx'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')

test('Every test file belongs to one layer, and Jest finds it there and nowhere else', () => {
  expect(files.length).toBeGreaterThan(100)
  for (const file of files) {
    const found = config.projects.filter(({ testRegex }) => new RegExp(testRegex).test(join(root, file)))
    expect([file, found.map(({ displayName }) => displayName)]).toEqual([file, [layerOf(file)]])
  }
})

test('When the path of the checkout has special characters, then files are found', () => {
  expect('/home/a+b/scripts/a.test.ts').toMatch(new RegExp(testRegexOf('/home/a+b/', 'unit')))
})

test.each(['libs/ui/test/dialog.test.ts', 'docs/page.test.ts', 'services/uploads/src/a.other.test.ts'])(
  'When a test file is named %s, then no layer has it',
  (file) => {
    expect(() => layerOf(file)).toThrow('belongs to no layer')
  },
)
