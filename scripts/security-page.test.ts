import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { root } from './paths.ts'

test('When docs/security.md names a file of tests, then it exists', async () => {
  const page = await readFile(join(root, 'docs/security.md'), 'utf8')
  const files = [...page.matchAll(/`([\w./-]+\.ts)`/g)].map(([, file = '']) => file)
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
})
