import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { affectedParts } from './affected-parts.ts'
import { parseLockfile } from './lockfile.ts'
import { root } from './paths.ts'

// Prints the services and frontends whose packages differ from those at a commit, as outputs of a workflow step:
//
//   node scripts/list-affected-parts.ts COMMIT

const [commit = 'HEAD'] = process.argv.slice(2)
const before = execFileSync('git', ['show', `${commit}:package-lock.json`], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 2 ** 26,
})
const after = readFileSync(join(root, 'package-lock.json'), 'utf8')
for (const [name, parts] of Object.entries(affectedParts(parseLockfile(before), parseLockfile(after))))
  console.log(`${name}=${JSON.stringify(parts)}`)
