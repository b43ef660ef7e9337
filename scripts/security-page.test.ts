import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { root } from './places.ts'

const read = (file: string): Promise<string> => readFile(join(root, file), 'utf8')

test('When docs/security.md says which test shows something, then that test is there', async () => {
  const page = await read('docs/security.md')
  const named = [...page.matchAll(/`([\w./-]+\.test\.ts)`(?:: ((?:'[^']+'(?:, )?)+))?/g)]
  expect(named.length).toBeGreaterThan(30)
  for (const [, file = '', names = ''] of named) {
    const tests = await read(file)
    for (const [, name = ''] of names.matchAll(/'([^']+)'/g))
      expect([file, tests.includes(name) ? name : 'missing']).toEqual([file, name])
  }
})
