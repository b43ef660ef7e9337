import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { locales } from '@confetti/contracts'
import { afterAll, expect, test } from '@jest/globals'
import { root } from './paths.ts'

const folder = mkdtempSync(join(tmpdir(), 'confetti-texts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Checks catalogues of all languages, of which Polish lacks the text `second` if it `isMissing`. */
const check = (branch: string, isMissing: boolean) => {
  const catalogues = join(folder, 'libs/album/locales')
  mkdirSync(catalogues, { recursive: true })
  for (const { tag } of locales) {
    const texts = { first: 'One', ...(!(isMissing && tag === 'pl') && { second: 'Two' }) }
    writeFileSync(join(catalogues, `${tag}.json`), JSON.stringify(texts))
  }
  const { status, stdout } = spawnSync(process.execPath, ['scripts/missing-texts.ts', folder], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, GITHUB_HEAD_REF: branch },
  })
  return { status, lines: stdout.trim().split('\n') }
}

test.each([
  ['main', 0],
  ['release/0.2', 1],
])(
  'When a language lacks a text on the branch %s, then it is listed, and the status is %i',
  (branch, status) => {
    const lines = ['libs/album/locales/pl.json: second', '1 texts are in English.']
    expect(check(branch, true)).toEqual({ status, lines })
  },
)

test('When no language lacks a text, then a release branch passes', () => {
  expect(check('release/0.2', false)).toEqual({ status: 0, lines: ['No language lacks a text.'] })
})
