import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { root } from './paths.ts'

const read = (file: string): Promise<string> => readFile(join(root, file), 'utf8')

test('When docs/security.md names a test, then that test exists', async () => {
  const page = await read('docs/security.md')
  const references = [...page.matchAll(/`([\w./-]+(?:\.test|-tests)\.ts)`(?:: ((?:'[^']+'(?:, )?)+))?/g)]
  expect(references.length).toBeGreaterThan(30)
  for (const [, file = '', names = ''] of references) {
    const tests = await read(file)
    for (const [, name = ''] of names.matchAll(/'([^']+)'/g))
      expect([file, tests.includes(name) ? name : 'missing']).toEqual([file, name])
  }
})
