import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { nightlyParts } from './nightly-parts.ts'
import { root } from './paths.ts'

// Runs the parts of the nightly layer that the command line names, or all of them.

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(nightlyParts)
const unknown = names.filter((name) => !(name in nightlyParts))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. The parts: ${Object.keys(nightlyParts).join(', ')}`)
  process.exit(2)
}
const failed = names.filter((name) => {
  const part = nightlyParts[name]
  if (!part) return false
  console.log(`Part ${name}`)
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', part.script), ...part.args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...part.environment },
  })
  return status !== 0
})
console.log(failed.length === 0 ? 'All parts passed.' : `Failed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
