import { readFile } from 'node:fs/promises'
import { locales } from '@confetti/contracts'
import { expect, test } from '@jest/globals'

test('The script that sets the language before the first paint has the same languages', async () => {
  const page = await readFile(new URL('../../../frontends/shell/src/index.html', import.meta.url), 'utf8')
  expect(/locales = '([^']*)'/.exec(page)?.[1]?.split(' ')).toEqual(locales.map(({ tag }) => tag))
})
