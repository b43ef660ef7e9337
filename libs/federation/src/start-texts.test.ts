import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import { readStartTexts } from './start-texts.ts'

const shell = fileURLToPath(new URL('../../../frontends/shell/', import.meta.url))

test('When the shell is built, then its page gets four texts in each of its languages', async () => {
  const page = await readFile(`${shell}src/index.html`, 'utf8')
  const tags = /locales = '([^']*)'/.exec(page)?.[1]?.split(' ') ?? []
  const parts = readStartTexts(shell).split('|')
  expect(parts).toHaveLength(tags.length * 5)
  expect(parts.filter((_part, index) => index % 5 === 0).toSorted()).toEqual(tags.toSorted())
  expect(parts.slice(parts.indexOf('en') + 1).slice(0, 4)).toEqual([
    "Couldn't load the page",
    'Try again',
    'This browser is too old',
    'Update it, or use another device.',
  ])
})
