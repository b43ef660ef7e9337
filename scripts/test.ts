import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensurePrograms, startBackends } from '@confetti/backends'
import { buildFrontends } from '@confetti/launcher'
import { ensureTools } from '@confetti/ops/tools'
import { getBackendAddresses } from './backend-addresses.ts'
import { ensureBrowser, otherBrowserTools } from './browser.ts'
import { runJest } from './jest.ts'
import { mediaTools } from './media-tools.ts'

// Runs Jest with the arguments of the command line, on backends that only this run uses. Without arguments it
// includes the tests in ops/ and e2e/browsers/, unless their programs cannot be installed.

/** Creates the certificate of a storage account that is reached by HTTPS. */
const certificateTool = { program: 'openssl', debianPackage: 'openssl' }

/** Programs that read ZIP archives. */
const archiveReaders = [
  { program: 'python3', debianPackage: 'python3' },
  { program: 'unzip', debianPackage: 'unzip' },
  { program: 'bsdtar', debianPackage: 'libarchive-tools' },
  { program: '7z', debianPackage: 'p7zip-full' },
]

const print = (line: string): void => console.log(line)

const args = process.argv.slice(2)
const runsAllTests = args.length === 0
if (args.some((arg) => arg.startsWith('ops'))) print('To run the tests in ops/, use: npm run ops:check')

const skipFolder = (folder: string): string[] => [
  '--testPathIgnorePatterns=/node_modules/',
  `--testPathIgnorePatterns=<rootDir>/${folder}/`,
]

/** Returns the options of Jest that include or exclude the tests in ops/. */
const getOpsOptions = async (): Promise<{ args: string[]; environment: NodeJS.ProcessEnv }> => {
  const found = runsAllTests ? await ensureTools(print) : undefined
  if (found && 'tools' in found)
    return { args: [], environment: { CONFETTI_OPS_TOOLS: JSON.stringify(found.tools) } }
  if (found)
    print(
      `Skipping the tests in ops/ (images, compose file, manifests, alerts). Missing tools: ${found.missing.join(', ')}`,
    )
  return { args: skipFolder('ops'), environment: {} }
}

/** Installs Firefox and WebKit if they are needed. Returns the options of Jest that exclude their tests if they are missing. */
const getOtherBrowsersArgs = async (): Promise<string[]> => {
  if (!runsAllTests && !args.some((arg) => arg.startsWith('e2e'))) return []
  const missing = await ensurePrograms(otherBrowserTools, print)
  if (missing.length === 0) return []
  print(`Skipping the tests in e2e/browsers (Firefox and WebKit). Missing programs: ${missing.join(', ')}`)
  return skipFolder('e2e/browsers')
}

const folder = await mkdtemp(join(tmpdir(), 'confetti-tests-'))
try {
  await ensurePrograms([...mediaTools, certificateTool, ...archiveReaders], print)
  await ensureBrowser(print)
  const otherBrowsersArgs = await getOtherBrowsersArgs()
  const opsOptions = await getOpsOptions()
  await buildFrontends()
  const backends = await startBackends({ dataDir: join(folder, 'backends'), report: print })
  try {
    const passed = await runJest([...args, ...otherBrowsersArgs, ...opsOptions.args], {
      ...opsOptions.environment,
      CONFETTI_TEST_BACKENDS: JSON.stringify(getBackendAddresses(backends)),
      // Services start hundreds of times; compiled once, they start in half the processor time.
      NODE_COMPILE_CACHE: join(folder, 'compile-cache'),
    })
    process.exitCode = passed ? 0 : 1
  } finally {
    await backends.stop()
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
