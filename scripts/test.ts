import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensurePrograms, startBackends } from '@confetti/backends'
import { buildFrontends } from '@confetti/launcher'
import { ensureTools } from '@confetti/ops/tools'
import { startSharedSites } from '../e2e/shared-sites.ts'
import { getBackendAddresses } from './backend-addresses.ts'
import { ensureBrowser, otherBrowserTools } from './browser.ts'
import { listTests, runJest } from './jest.ts'
import { mediaTools } from './media-tools.ts'
import { root } from './paths.ts'
import { formatTestTimes } from './test-times.ts'
import { layerOf, layers, usesBackends, WORKERS, type Layer } from './test-layers.ts'

// Runs Jest with the arguments of the command line. It looks at the files that will run, and installs, builds and starts
// what they need. Without --nightly it runs all layers but `nightly`, with it only that one. Without further arguments it
// includes the tests in ops/, unless their programs cannot be installed.

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

const isNightly = process.argv.includes('--nightly')
const args = process.argv.slice(2).filter((arg) => arg !== '--nightly')
const runsAllTests = args.length === 0
if (args.some((arg) => arg.startsWith('ops'))) print('To run the tests in ops/, use: npm run ops:check')

// The last option: it takes all words that follow.
const selectProjects = (selected: readonly Layer[]): string[] => ['--selectProjects', ...selected]

const ignoreFolder = (folder: string): string[] => [
  '--testPathIgnorePatterns=/node_modules/',
  `--testPathIgnorePatterns=<rootDir>/${folder}/`,
]

/** Returns the options of Jest that include or exclude the tests in ops/. */
const getOpsOptions = async (): Promise<{ args: string[]; environment: NodeJS.ProcessEnv }> => {
  const found = runsAllTests && !isNightly ? await ensureTools(print) : undefined
  if (found && 'tools' in found)
    return { args: [], environment: { CONFETTI_OPS_TOOLS: JSON.stringify(found.tools) } }
  if (found)
    print(
      `Skipping the tests in ops/ (images, compose file, manifests, alerts). Missing tools: ${found.missing.join(', ')}`,
    )
  return { args: ignoreFolder('ops'), environment: {} }
}

/** Installs Firefox and WebKit. Returns the options of Jest that exclude their tests if they are missing. */
const getOtherBrowsersArgs = async (): Promise<string[]> => {
  const missing = await ensurePrograms(otherBrowserTools, print)
  if (missing.length === 0) return []
  print(`Skipping the tests in e2e/browsers (Firefox and WebKit). Missing programs: ${missing.join(', ')}`)
  return ignoreFolder('e2e/browsers')
}

const selected = isNightly ? (['nightly'] as const) : layers.filter((layer) => layer !== 'nightly')
const files = await listTests([...args, ...selectProjects(selected)])
const usedLayers = layers.filter((layer) => files.some((file) => layerOf(file) === layer))
const needsBackends = usedLayers.some(usesBackends)
const usesBrowser = usedLayers.some((layer) => layer === 'browser' || layer === 'nightly')

/** The number of sites to share: none, or as many as there are files that join one, up to one for each worker. */
const countSites = async (): Promise<number> => {
  const texts = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')))
  return Math.min(texts.filter((text) => /\bjoin\w*Site\(/.test(text)).length, WORKERS)
}

const run = async (extraArgs: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> => {
  const projects = selectProjects(usedLayers.length > 0 ? usedLayers : selected)
  const { passed, files: finished } = await runJest([...args, ...extraArgs, ...projects], environment)
  if (finished.length > 0) print(formatTestTimes(finished))
  process.exitCode = passed ? 0 : 1
}

/** Stops what was started, the newest first. */
const stops: (() => Promise<unknown>)[] = []
try {
  if (!needsBackends) await run([], {})
  else {
    const folder = await mkdtemp(join(tmpdir(), 'confetti-tests-'))
    stops.push(() => rm(folder, { recursive: true, force: true }))
    await ensurePrograms([...mediaTools, certificateTool, ...archiveReaders], print)
    if (usesBrowser) await Promise.all([ensureBrowser(print), buildFrontends()])
    const otherBrowsersArgs = files.some((file) => file.startsWith('e2e/browsers/'))
      ? await getOtherBrowsersArgs()
      : []
    const ops = await getOpsOptions()
    const backends = await startBackends({ dataDir: join(folder, 'backends'), report: print })
    stops.push(() => backends.stop())
    const environment = {
      CONFETTI_TEST_BACKENDS: JSON.stringify(getBackendAddresses(backends)),
      // Services and workers start many times; compiled once, they start in half the processor time.
      NODE_COMPILE_CACHE: join(folder, 'compile-cache'),
    }
    Object.assign(process.env, environment)
    const shared = await startSharedSites(await countSites())
    stops.push(() => shared.stop())
    await run([...otherBrowsersArgs, ...ops.args], {
      ...environment,
      ...ops.environment,
      CONFETTI_TEST_SITES: JSON.stringify(shared.sites),
    })
  }
} finally {
  for (const stop of stops.toReversed()) await stop()
}
