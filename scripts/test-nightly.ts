import { nightlyParts } from './nightly-parts.ts'
import { runScript } from './run-script.ts'

// Runs the parts of the nightly layer that the command line names, or all of them.

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(nightlyParts)
const unknown = names.filter((name) => !(name in nightlyParts))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. The parts: ${Object.keys(nightlyParts).join(', ')}`)
  process.exit(2)
}
const failed: string[] = []
for (const name of names) {
  const part = nightlyParts[name]
  if (!part) continue
  console.log(`Part ${name}`)
  if (!(await runScript(part.script, part.args, part.environment))) failed.push(name)
}
console.log(failed.length === 0 ? 'All parts passed.' : `Failed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
