import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { affectedTests } from './affected-tests.ts'
import { listTests } from './jest.ts'
import { parseLockfile } from './lockfile.ts'
import { root } from './paths.ts'
import { runScript } from './run-script.ts'

// Runs the tests that the changes since a commit can affect, those not committed included: the tests whose imports lead to
// a changed file, those of the services and frontends that are built from one, and journeys through all services.
//
//   npm run test:changed -- [commit]     where the branch left `main`, unless it is given

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
const listPaths = (...args: string[]): string[] =>
  git(...args, '-z')
    .split('\0')
    .filter(Boolean)
/** Where the branch left `main`, which a checkout of one branch knows by its remote only. */
const findBase = (): string => {
  const mains = git('for-each-ref', '--format=%(refname)', 'refs/heads/main', 'refs/remotes/origin/main')
  const [main] = mains.split('\n')
  if (!main) throw new Error('There is no branch main: name the commit with which to compare.')
  return git('merge-base', main, 'HEAD').trim()
}

const [commit = findBase()] = process.argv.slice(2)
const changedFiles = [
  ...listPaths('diff', '--name-only', '--no-renames', '--diff-filter=d', commit),
  ...listPaths('ls-files', '--others', '--exclude-standard'),
]
const lockfile = parseLockfile(readFileSync(join(root, 'package-lock.json'), 'utf8'))
const { paths, ops } = affectedTests(lockfile, changedFiles)
const files = [
  ...new Set([
    ...(changedFiles.length > 0 ? await listTests(['--findRelatedTests', ...changedFiles]) : []),
    ...(paths.length > 0 ? await listTests(paths.map((path) => join(root, path))) : []),
  ]),
].filter((file) => !file.startsWith('ops/'))
const passed = [
  files.length === 0 || (await runScript('test.ts', ['--runTestsByPath', ...files])),
  !ops || (await runScript('ops-check.ts', [])),
]
if (files.length === 0 && !ops) console.log(`What changed since ${commit} affects no test.`)
process.exitCode = passed.every(Boolean) ? 0 : 1
