import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { affectedFrontends, affectedServices } from './affected-parts.ts'
import { parseLockfile } from './lockfile.ts'
import { root } from './paths.ts'

// Prints the services that the changes since a commit affect, and the frontends whose packages they change, as outputs of
// a workflow step; all of them if the commit does not exist, as before the first push of a branch or after a forced one:
//
//   node scripts/list-affected-parts.ts COMMIT

const [commit = 'HEAD'] = process.argv.slice(2)
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26, stdio: 'pipe' })

const exists = (): boolean => {
  try {
    git('cat-file', '-e', `${commit}^{commit}`)
    return true
  } catch {
    return false
  }
}

const isKnown = exists()
const before = isKnown ? parseLockfile(git('show', `${commit}:package-lock.json`)) : {}
const after = parseLockfile(readFileSync(join(root, 'package-lock.json'), 'utf8'))
const changedFiles = isKnown
  ? git('diff', '--name-only', '--no-renames', '-z', commit, 'HEAD').split('\0').filter(Boolean)
  : []
console.log(`services=${JSON.stringify(affectedServices(before, after, changedFiles))}`)
console.log(`frontends=${JSON.stringify(affectedFrontends(before, after))}`)
