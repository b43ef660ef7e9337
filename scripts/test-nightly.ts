import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './paths.ts'

// Runs the parts of the nightly layer that the command line names, or all of them. Each takes less than 45 minutes on two
// cores. A part is a script of this folder with its arguments.

interface Part {
  script: string
  args: readonly string[]
  environment?: NodeJS.ProcessEnv
}

const parts: Readonly<Record<string, Part>> = {
  // axe in four languages, at both widths and in both themes.
  matrix: { script: 'test.ts', args: ['--nightly', 'e2e/accessibility'] },
  browsers: { script: 'test.ts', args: ['--nightly', 'e2e/browsers'] },
  outages: { script: 'test.ts', args: ['--nightly', 'e2e/outages', 'e2e/bursts'] },
  fuzzing: {
    script: 'test.ts',
    args: ['e2e/security/api', 'e2e/security/multipart', 'e2e/security/request-smuggling'],
    environment: { FUZZ_SECONDS: '600' },
  },
  'faults-1': { script: 'test-faults.ts', args: ['--shard=1/2'] },
  'faults-2': { script: 'test-faults.ts', args: ['--shard=2/2'] },
  'seeded-bugs': { script: 'test-faults.ts', args: ['--self-test'] },
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts)
const unknown = names.filter((name) => !(name in parts))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. The parts: ${Object.keys(parts).join(', ')}`)
  process.exit(2)
}
const failed = names.filter((name) => {
  const part = parts[name]
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
