import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { locales } from '@confetti/contracts'
import { root } from './paths.ts'

// Lists the texts that languages lack: `npm run texts:missing`. Pages and mails show them in English. On a release branch
// (release/...) a missing text is an error, so that `npm run check` fails there. The first argument is another root.

const [folder = root] = process.argv.slice(2)
const readIds = (file: string): string[] => Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object)

const missing = globSync('{libs,frontends,services}/*/locales/**/en.json', {
  cwd: folder,
  exclude: ['**/node_modules', '**/dist'],
}).flatMap((english) =>
  locales.flatMap(({ tag }) => {
    const file = join(dirname(english), `${tag}.json`)
    const translated = new Set(readIds(join(folder, file)))
    const ids = readIds(join(folder, english)).filter((id) => !translated.has(id))
    return ids.map((id) => `${file}: ${id}`)
  }),
)

const { GITHUB_HEAD_REF, GITHUB_REF_NAME } = process.env
// Of a pull request it is the first one, which is empty otherwise.
const [branch = ''] = [
  GITHUB_HEAD_REF,
  GITHUB_REF_NAME,
  execFileSync('git', ['-C', root, 'branch', '--show-current'], { encoding: 'utf8' }),
].filter(Boolean)
for (const text of missing) console.log(text)
console.log(missing.length === 0 ? 'No language lacks a text.' : `${missing.length} texts are in English.`)
process.exitCode = missing.length > 0 && branch.startsWith('release/') ? 1 : 0
