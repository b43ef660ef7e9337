import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

type Messages = Readonly<Record<string, string>>

const ids = [
  'shell.startFailed.title',
  'shell.start.retry',
  'shell.start.tooOld.title',
  'shell.start.tooOld.text',
]

/**
 * Returns the texts that the script of the shell's index.html shows if the app does not start: each language's tag and its
 * texts in the order of `ids`, separated by `|`. The template escapes quotes.
 */
export const readStartTexts = (folder: string): string => {
  const readMessages = (catalogue: string, file: string): Messages =>
    JSON.parse(readFileSync(join(folder, 'locales', catalogue, file), 'utf8')) as Messages
  return readdirSync(join(folder, 'locales/start'))
    .sort()
    .flatMap((file) => {
      const messages = Object.assign(
        {},
        // What a language lacks is in English.
        ...['en.json', file].flatMap((each) => [readMessages('notices', each), readMessages('start', each)]),
      ) as Messages
      return [file.replace('.json', ''), ...ids.map((id) => messages[id] ?? '')]
    })
    .join('|')
}
