import { readFile } from 'node:fs/promises'
import { expect, test } from '@jest/globals'
import { PAGE_SIZE } from './gallery-list.ts'

test("The shell's page requests as many photos as the gallery shows first", async () => {
  const page = await readFile(new URL('../../../../shell/src/index.html', import.meta.url), 'utf8')
  expect(page).toContain(`'/gallery?limit=${PAGE_SIZE}'`)
})
