import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensurePrograms, startBackends } from '@confetti/backends'
import { buildFrontends } from '@confetti/launcher'
import { ensureTools } from '@confetti/ops/tools'
import { browserTool } from './browser.ts'
import { runJest } from './jest.ts'
import { mediaTools } from './media-tools.ts'
import { addressesOf } from './places.ts'

// Runs Jest with what is on the command line, on backends of this run's own. The tests of what operators get need
// tools; where those cannot be had, they are left out, and a line says so.

const say = (line: string): void => console.log(line)

const args = process.argv.slice(2)
// Part of it is asked for while working on that part; ops/ has a command of its own.
const isWhole = args.length === 0
if (args.some((arg) => arg.startsWith('ops'))) say('For what is in ops/ use: npm run ops:check')

/** What Jest is told so that it runs the tests in ops/, or leaves them out. */
const forOps = async (): Promise<{ args: string[]; environment: NodeJS.ProcessEnv }> => {
  const found = isWhole ? await ensureTools(say) : undefined
  if (found && 'tools' in found)
    return { args: [], environment: { CONFETTI_OPS_TOOLS: JSON.stringify(found.tools) } }
  if (found)
    say(
      `Images, compose file, manifests and alerts are not checked here; missing: ${found.missing.join(', ')}`,
    )
  return {
    args: ['--testPathIgnorePatterns=/node_modules/', '--testPathIgnorePatterns=<rootDir>/ops/'],
    environment: {},
  }
}

const folder = await mkdtemp(join(tmpdir(), 'confetti-tests-'))
try {
  await ensurePrograms([...mediaTools, browserTool], say)
  const ops = await forOps()
  await buildFrontends()
  const backends = await startBackends({ dataDir: join(folder, 'backends'), report: say })
  try {
    const passed = await runJest([...args, ...ops.args], {
      ...ops.environment,
      CONFETTI_TEST_BACKENDS: JSON.stringify(addressesOf(backends)),
    })
    process.exitCode = passed ? 0 : 1
  } finally {
    await backends.stop()
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
