import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errorCodes, locales, type ErrorCode } from '@confetti/contracts'
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

const areEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const parseMessage = (message: string): Token[] | undefined => {
  try {
    return parse(message)
  } catch {
    return undefined
  }
}

const checkMessage = (tag: string, english: string, message: string): string[] => {
  const tokens = parseMessage(message)
  const englishTokens = parseMessage(english)
  if (!tokens || !englishTokens) return ['cannot be parsed']
  const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions()
  const hasAllCategories = casesOf(tokens, 'plural').every((keys) =>
    areEqual(keys.filter((key) => !key.startsWith('=')).toSorted(), pluralCategories.toSorted()),
  )
  const sortedPlaceholders = (each: readonly Token[]): string[] => [...placeholdersOf(each)].toSorted()
  return [
    ...(message.trim() === '' ? ['is empty'] : []),
    ...(message.trim() === message ? [] : ['begins or ends with a space']),
    ...(areEqual(sortedPlaceholders(tokens), sortedPlaceholders(englishTokens))
      ? []
      : ['has other placeholders']),
    ...(hasAllCategories ? [] : ['has other plural categories than the language']),
    ...(areEqual(casesOf(tokens, 'select'), casesOf(englishTokens, 'select')) ? [] : ['has other cases']),
  ]
}

/** What is wrong with the translation of a catalogue. Texts that it lacks are in English until a release. */
const checkTranslation = (tag: string, english: Messages, messages: Messages): string[] => {
  const ids = Object.keys(messages)
  const problems = [
    ...ids.filter((id) => !(id in english)).map((id) => `${id} is not in en.json`),
    ...ids.flatMap((id) =>
      checkMessage(tag, english[id] ?? messages[id] ?? '', messages[id] ?? '').map(
        (problem) => `${id} ${problem}`,
      ),
    ),
  ]
  const isInOrder = areEqual(
    ids,
    Object.keys(english).filter((id) => id in messages),
  )
  if (problems.length > 0 || isInOrder) return problems
  return ['The ids are in another order']
}

const findDuplicates = (ids: readonly string[]): string[] =>
  ids.filter((id, index) => ids.indexOf(id) !== index)

/** The ids of failures are made of codes, so they are not in the code. */
const findUnused = (ids: readonly string[], code: string): string[] =>
  ids.filter((id) => !id.startsWith('failure.') && !code.includes(`'${id}'`))

/** All texts of a language. */
const readLanguage = async (tag: string): Promise<Messages> => {
  const files = translations.filter((each) => each.tag === tag).map(({ file }) => readMessages(file))
  return Object.assign({}, ...(await Promise.all(files))) as Messages
}

/** Whether the words of `text` are in `name`, one after the other, without their punctuation and their values. */
const hasWords = (tag: string, name: string, text: string): boolean => {
  const [nameWords, textWords] = [name, text].map((each) =>
    // The narrow space before a colon in French would be part of the word.
    [...new Intl.Segmenter(tag, { granularity: 'word' }).segment(each.replaceAll(/\{\w+\}|\s/g, ' '))]
      .filter(({ isWordLike }) => isWordLike)
      .map(({ segment }) => segment.toLocaleLowerCase(tag)),
  )
  return ` ${nameWords?.join(' ')} `.includes(` ${textWords?.join(' ')} `)
}

/** Codes without a text, and texts without a code. */
const checkFailures = (codes: readonly string[], ids: readonly string[]): string[] => [
  ...codes.filter((code) => !ids.includes(`failure.${code}`)).map((code) => `${code} has no text`),
  ...ids.filter((id) => !codes.includes(id.replace('failure.', ''))).map((id) => `${id} has no code`),
]

// Codes that no page shows.
const neverShown: readonly ErrorCode[] = [
  // The landing page has a text of its own.
  'code_not_found',
  // The upload page asks for it at its box.
  'consent_required',
  'encoded_content',
  // Always sent with a more specific code.
  'gone',
  'headers_too_large',
  'method_not_allowed',
  // The browser downloads archives by itself.
  'range_not_satisfiable',
  // A page that fails to refresh its tokens shows why its own call was rejected.
  'refresh_token_malformed',
  'refresh_token_reused',
]

/** English texts that several ids share, and that differ in a language because the ids are used differently. */
const usedDifferently: Readonly<Record<string, string>> = {
  Active: 'a tab with events, and the state of one',
  'Create Event': 'the title of a page, and its button',
  'Delete {name}': 'a button with an icon, and one with the text Delete',
  'Event deleted': 'a toast, and an entry of the audit log',
  Hide: 'a button, and the value of a setting',
  'Message deleted': 'a toast, and an entry of the audit log',
  'Password changed': 'a toast, and an entry of the audit log',
  Past: 'a tab with events, and the state of one',
  Save: 'stores settings, and saves a photo to the device',
  'Sign in': 'the title of a page, and a link',
  Upcoming: 'a tab with events, and the state of one',
}

/** The texts of `english` that have several ids, whose texts in `messages` differ. */
const findDifferent = (english: Messages, messages: Messages): string[] => {
  const idsByText = Map.groupBy(Object.keys(english), (id) => english[id] ?? '')
  return [...idsByText.entries()]
    .filter(([, ids]) => new Set(ids.flatMap((id) => messages[id] ?? [])).size > 1)
    .map(([text]) => text)
}

const readCode = async (pattern: string): Promise<string> => {
  const files = find(pattern).filter((file) => !file.includes('.test.'))
  return (await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')))).join('\n')
}

test('There are catalogues of the shell, the remotes, the libraries and the mails', () => {
  expect(catalogues.map(({ folder }) => folder).toSorted()).toEqual([
    'frontends/admin/locales',
    'frontends/organiser/locales',
    'frontends/public/locales/gallery',
    'frontends/public/locales/guests',
    'frontends/public/locales/in-app',
    'frontends/public/locales/owners',
    'frontends/public/locales/pin',
    'frontends/shell/locales/members',
    'frontends/shell/locales/notices',
    'frontends/shell/locales/start',
    'libs/album/locales',
    'libs/ui/locales/components',
    'libs/ui/locales/failures',
    'services/notifications/locales',
  ])
})

test.each(translations)(
  '$file has no other texts than English, with the same placeholders, and all plurals',
  async ({ english, tag, file }) => {
    expect(checkTranslation(tag, english, await readMessages(file))).toEqual([])
  },
)

test('No id is in two catalogues of pages, because a page may have the texts of several', () => {
  const pages = catalogues.filter(({ folder }) => !folder.startsWith('services/'))
  expect(findDuplicates(pages.flatMap(({ english }) => Object.keys(english)))).toEqual([])
})

test('One English text has one translation in each language, unless it is used differently', async () => {
  const english = Object.assign({}, ...catalogues.map((each) => each.english)) as Messages
  const different = await Promise.all(
    locales.map(async ({ tag }) => findDifferent(english, await readLanguage(tag))),
  )
  // Also fails for a text in the list that no longer differs anywhere.
  expect([...new Set(different.flat())].toSorted()).toEqual(Object.keys(usedDifferently).toSorted())
})

// The texts of controls, by the ids of their accessible names. People who control the browser by voice say the text.
const shownTexts = {
  'album.settings.organisers.removeOne': 'album.settings.organisers.remove',
  'album.qr.downloadLabel': 'album.download',
  'organiser.event.reviewOf': 'organiser.photos.review',
  'organiser.event.settingsOf': 'organiser.tab.settings',
  'organiser.qr.enlargeOf': 'organiser.qr.enlarge',
  'own.delete.label': 'own.delete',
  'own.undo.label': 'common.undo',
  'upload.addMore.label': 'upload.addMore',
  'upload.file.retry': 'common.retry',
}

test.each(locales)('In $tag, the accessible name of a control contains its text', async ({ tag }) => {
  const messages = await readLanguage(tag)
  const wrong = Object.entries(shownTexts).filter(
    ([name, text]) =>
      name in messages && text in messages && !hasWords(tag, messages[name] ?? '', messages[text] ?? ''),
  )
  expect(wrong).toEqual([])
})

/** What each glossary has for accounts only, where photos are deleted. */
const erase: Readonly<Record<string, RegExp>> = {
  fr: /effac/i,
  es: /borr/i,
  it: /cancell/i,
  'pt-BR': /apag/i,
  nl: /\b(?:ge)?wis/i,
  hi: /मिट/,
}
/** What glossaries have for links and messages only, where photos are sent. */
const sendMail: Readonly<Record<string, RegExp>> = { de: /schick/i, it: /\bmand/i, 'zh-Hans': /发送/ }

test.each(locales)('In $tag, what guests send and delete has one verb each', async ({ tag }) => {
  const english = await readLanguage('en')
  const messages = await readLanguage(tag)
  const sent = await readMessages(`frontends/public/locales/guests/${tag}.json`)
  const wrong = [
    ...Object.entries(messages).filter(
      ([id, text]) => /delet/i.test(english[id] ?? '') && erase[tag]?.test(text),
    ),
    ...Object.entries(sent).filter(([, text]) => sendMail[tag]?.test(text)),
  ]
  expect(wrong).toEqual([])
})

test('Every text is used', async () => {
  const code = await readCode('{libs,frontends,services}/*/src/**/*.{ts,tsx}')
  const ids = catalogues.flatMap(({ english }) => Object.keys(english))
  expect(findUnused(ids, code)).toEqual([])
})

test('Every code of an error that a page can show has a text', async () => {
  const code = await readCode('{libs/{api-client,session},frontends/*}/src/**/*.{ts,tsx}')
  // Those of failures that a page finds itself.
  const pageCodes = [...code.matchAll(/\bcode: '(\w+)'/g)].map(([, each = '']) => each)
  const codes = [...errorCodes.filter((each) => !neverShown.includes(each)), ...pageCodes]
  const failures = await readMessages('libs/ui/locales/failures/en.json')
  expect(pageCodes).toContain('network_error')
  expect(checkFailures(codes, Object.keys(failures))).toEqual([])
})

const planted = {
  first: 'Hello {name}.',
  files: '{count, plural, one {# file} other {# files}}',
  known: '{isKnown, select, true {Yes} other {No}}',
}
const polish = {
  first: 'Cześć {name}.',
  files: '{count, plural, one {# plik} few {# pliki} many {# plików} other {# pliku}}',
  known: '{isKnown, select, true {Tak} other {Nie}}',
}
const { first: _, ...withoutFirst } = polish

test('When a translation is right, or lacks a text, then nothing is found', () => {
  expect(checkTranslation('pl', planted, polish)).toEqual([])
  expect(checkTranslation('pl', planted, withoutFirst)).toEqual([])
})

test.each<[string, Messages, string]>([
  ['has an id of its own', { ...polish, other: 'Tak' }, 'other is not in en.json'],
  ['has the ids in another order', { ...withoutFirst, first: polish.first }, 'The ids are in another order'],
  ['has another placeholder', { ...polish, first: 'Cześć {nam}.' }, 'first has other placeholders'],
  ['lacks a placeholder', { ...polish, first: 'Cześć.' }, 'first has other placeholders'],
  [
    'lacks a plural category',
    { ...polish, files: '{count, plural, one {# plik} few {# pliki} other {# pliku}}' },
    'files has other plural categories than the language',
  ],
  [
    'has a plural category of another language',
    {
      ...polish,
      files: '{count, plural, one {# plik} two {# pliki} few {# pliki} many {# plików} other {# pliku}}',
    },
    'files has other plural categories than the language',
  ],
  [
    'has another case of a select',
    { ...polish, known: '{isKnown, select, tak {Tak} other {Nie}}' },
    'known has other cases',
  ],
  ['has an empty text', { ...polish, first: '' }, 'first is empty'],
  ['ends with a space', { ...polish, first: 'Cześć {name}. ' }, 'first begins or ends with a space'],
  ['cannot be parsed', { ...polish, first: 'Cześć {name.' }, 'first cannot be parsed'],
])('When a translation %s, then that is found', (_name, messages, problem) => {
  expect(checkTranslation('pl', planted, messages)).toContain(problem)
})

test('When one English text has two translations, then that is found', () => {
  const english = { 'a.one': 'Hide', 'a.two': 'Hide', 'b.one': 'Show', 'b.two': 'Show' }
  const different = { 'a.one': 'Ukryj', 'a.two': 'Schowaj', 'b.one': 'Pokaż', 'b.two': 'Pokaż' }
  expect(findDifferent(english, different)).toEqual(['Hide'])
})

test('When an id is in two catalogues, or no code uses it, then that is found', () => {
  expect(findDuplicates(['a.one', 'a.two', 'a.one'])).toEqual(['a.one'])
  expect(findUnused(['a.one', 'a.two', 'failure.invalid'], "t('a.one')")).toEqual(['a.two'])
})

test('When a name has other words than the text, or only parts of them, then that is found', () => {
  expect(hasWords('en', 'Undo taking back {name}', 'Undo')).toBe(true)
  expect(hasWords('ja', '「{name}」を元に戻す', '元に戻す')).toBe(true)
  expect(hasWords('en', 'Revert {name}', 'Undo')).toBe(false)
  expect(hasWords('ar', 'التراجع عن سحب {name}', 'تراجع')).toBe(false)
})

test('When a code has no text, or a text no code, then that is found', () => {
  expect(checkFailures(['known', 'new'], ['failure.known', 'failure.old'])).toEqual([
    'new has no text',
    'failure.old has no code',
  ])
})
