import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from '@jest/globals'
import { ESLint, Linter } from 'eslint'
import tseslint from 'typescript-eslint'

const root = fileURLToPath(new URL('..', import.meta.url))

let rule: Linter.RuleEntry

beforeAll(async () => {
  const file = 'frontends/public/src/pages/upload.tsx'
  const { rules } = (await new ESLint({ cwd: root }).calculateConfigForFile(file)) as Linter.Config
  rule = rules?.['no-restricted-syntax'] ?? 'off'
})

// Only this rule, because the others need the types of the whole repository.
const lint = (jsx: string): string[] =>
  new Linter()
    .verify(
      `export const Page = () => ${jsx}`,
      {
        files: ['**/*.tsx'],
        languageOptions: {
          parser: tseslint.parser,
          parserOptions: { ecmaFeatures: { jsx: true } },
        },
        rules: { 'no-restricted-syntax': rule },
      },
      'page.tsx',
    )
    .map(({ message }) => message)

test.each([
  '<p>Saved</p>',
  "<p>{'Saved'}</p>",
  '<>{`Saved`}</>',
  '<p>{`${count} files`}</p>',
  "<p>{isSaved ? 'Saved' : t('a.saving')}</p>",
  "<p>{isSaved && 'Saved'}</p>",
  '<img alt="A photo" />',
  "<Field label={'Name'} />",
  '<Field placeholder={`Name of ${person}`} />',
  "<button aria-label={isOpen ? 'Close' : t('a.open')} />",
])('When %s is in a page, then ESLint rejects its text', (jsx) => {
  expect(lint(jsx)).toEqual([expect.stringContaining('put the text into a catalogue')])
})

test.each([
  "<p>{t('a.saved')}</p>",
  "<p>{t('a.saved')}{' '}{count} · {`${count}`}</p>",
  "<p className={`card ${name}`}>{status === 'saved' && t('a.saved')}</p>",
  "<Field label={t(isNew ? 'a.new' : 'a.name')} type=\"email\" />",
])('When %s is in a page, then ESLint accepts it', (jsx) => {
  expect(lint(jsx)).toEqual([])
})
