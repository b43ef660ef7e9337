import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { locales } from '@confetti/i18n'
import { expect, test } from '@jest/globals'
import { parse, type Token } from '@messageformat/parser'
import { catalogue } from './texts.ts'

type Messages = Record<string, string>
const readMessages = async (locale: (typeof locales)[number]['tag']) =>
  (await catalogue(locale)).default as Messages
const english = await readMessages('en')

const placeholdersOf = (tokens: readonly Token[]): Set<string> =>
  new Set(
    tokens.flatMap((token) => [
      ...('arg' in token ? [token.arg] : []),
      ...('cases' in token ? token.cases.flatMap((each) => [...placeholdersOf(each.tokens)]) : []),
    ]),
  )
const pluralsOf = (tokens: readonly Token[]): string[][] =>
  tokens.flatMap((token) =>
    'cases' in token
      ? [
          ...(token.type === 'plural' ? [token.cases.map(({ key }) => key)] : []),
          ...token.cases.flatMap((each) => pluralsOf(each.tokens)),
        ]
      : [],
  )

test.each(locales)(
  'The texts in $name are complete, with the same placeholders, and all plurals',
  async ({ tag }) => {
    const messages = await readMessages(tag)
    expect(Object.keys(messages)).toEqual(Object.keys(english))
    const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions()
    for (const [id, message] of Object.entries(messages)) {
      const tokens = parse(message)
      expect([id, [...placeholdersOf(tokens)].toSorted()]).toEqual([
        id,
        [...placeholdersOf(parse(english[id] ?? ''))].toSorted(),
      ])
      for (const keys of pluralsOf(tokens))
        expect([id, keys.filter((key) => !key.startsWith('=')).toSorted()]).toEqual([
          id,
          pluralCategories.toSorted(),
        ])
      expect([id, message.trim()]).toEqual([id, message])
    }
  },
)

test('Every text is used', async () => {
  const files = await readdir(import.meta.dirname, { recursive: true })
  const sources = await Promise.all(
    files
      .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
      .map((file) => readFile(join(import.meta.dirname, file), 'utf8')),
  )
  const code = sources.join('\n')
  // The ids of failures are made of the server's codes.
  const unused = Object.keys(english).filter((id) => !id.startsWith('failure.') && !code.includes(`'${id}'`))
  expect(unused).toEqual([])
})
