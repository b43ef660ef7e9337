import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { locales } from '@confetti/contracts'
import { expect, test } from '@jest/globals'
import { parse, type Token } from '@messageformat/parser'

// All catalogues, of pages and of mails: a folder with an en.json and a file for each other language.

type Messages = Readonly<Record<string, string>>

const root = fileURLToPath(new URL('../../..', import.meta.url))
const find = (pattern: string): string[] =>
  globSync(pattern, { cwd: root, exclude: ['**/node_modules', '**/dist'] })
const readMessages = async (file: string): Promise<Messages> =>
  JSON.parse(await readFile(join(root, file), 'utf8')) as Messages

const englishFiles = find('{libs,frontends,services}/*/locales/**/en.json')
const catalogues = await Promise.all(
  englishFiles.map(async (file) => ({
    folder: file.replace(/.en\.json$/, ''),
    english: await readMessages(file),
  })),
)
const translations = catalogues.flatMap(({ folder, english }) =>
  locales.map(({ tag }) => ({ english, tag, file: `${folder}/${tag}.json` })),
)

const placeholdersOf = (tokens: readonly Token[]): Set<string> =>
  new Set(
    tokens.flatMap((token) => [
      ...('arg' in token ? [token.arg] : []),
      ...('cases' in token ? token.cases.flatMap((each) => [...placeholdersOf(each.tokens)]) : []),
    ]),
  )
const casesOf = (tokens: readonly Token[], type: 'plural' | 'select'): string[][] =>
  tokens.flatMap((token) =>
    'cases' in token
      ? [
          ...(token.type === type ? [token.cases.map(({ key }) => key)] : []),
          ...token.cases.flatMap((each) => casesOf(each.tokens, type)),
        ]
      : [],
  )

test('There are catalogues of the shell, the remotes, the libraries and the mails', () => {
  expect(catalogues.map(({ folder }) => folder).toSorted()).toEqual([
    'frontends/admin/locales',
    'frontends/organiser/locales',
    'frontends/public/locales/guests',
    'frontends/public/locales/owners',
    'frontends/shell/locales/members',
    'frontends/shell/locales/notices',
    'libs/album/locales',
    'libs/ui/locales/components',
    'libs/ui/locales/failures',
    'services/notifications/locales',
  ])
})

test.each(translations)(
  '$file is complete, with the same placeholders, and all plurals',
  async ({ english, tag, file }) => {
    const messages = await readMessages(file)
    expect(Object.keys(messages)).toEqual(Object.keys(english))
    const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions()
    for (const [id, message] of Object.entries(messages)) {
      const tokens = parse(message)
      const englishTokens = parse(english[id] ?? '')
      expect([id, [...placeholdersOf(tokens)].toSorted()]).toEqual([
        id,
        [...placeholdersOf(englishTokens)].toSorted(),
      ])
      for (const keys of casesOf(tokens, 'plural'))
        expect([id, keys.filter((key) => !key.startsWith('=')).toSorted()]).toEqual([
          id,
          pluralCategories.toSorted(),
        ])
      expect([id, casesOf(tokens, 'select')]).toEqual([id, casesOf(englishTokens, 'select')])
      expect([id, message.trim()]).toEqual([id, message])
    }
  },
)

test('No id is in two catalogues of pages, because a page may have the texts of several', () => {
  const ids = catalogues
    .filter(({ folder }) => !folder.startsWith('services/'))
    .flatMap(({ english }) => Object.keys(english))
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})

test('Every text is used', async () => {
  const files = find('{libs,frontends,services}/*/src/**/*.{ts,tsx}').filter(
    (file) => !file.includes('.test.'),
  )
  const code = (await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')))).join('\n')
  // The ids of failures are made of the server's codes.
  const unused = catalogues
    .flatMap(({ english }) => Object.keys(english))
    .filter((id) => !id.startsWith('failure.') && !code.includes(`'${id}'`))
  expect(unused).toEqual([])
})
