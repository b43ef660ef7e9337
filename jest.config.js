import { fileURLToPath } from 'node:url'
import { layers, TEST_TIMEOUT_MS, testRegexOf, usesBackends, WORKERS } from './scripts/test-layers.ts'

const rootDir = fileURLToPath(new URL('.', import.meta.url))

/** What all tests share, those in e2e/faults included. @type {import('jest').Config} */
export const standard = {
  rootDir,
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '\\.tsx?$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2024',
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic' } },
          experimental: { keepImportAttributes: true },
        },
      },
    ],
  },
  modulePathIgnorePatterns: ['<rootDir>/.confetti/'],
}

/** @type {import('jest').Config} */
const dom = {
  testEnvironment: 'jsdom',
  moduleNameMapper: { '\\.css$': '<rootDir>/libs/ui/test/css-modules-mock.js' },
  setupFiles: ['<rootDir>/libs/ui/test/jsdom-setup.js'],
}

/**
 * Without Jest's own module system: what the files import is loaded once for each worker, not for each file, and what a
 * file sets globally stays for the next one.
 * @type {import('jest').Config}
 */
const bareNode = {
  runner: ['jest-light-runner', { runtime: 'child_process' }],
  setupFiles: ['<rootDir>/scripts/jest-in-bare-node.js'],
}

/** @type {import('jest').Config} */
export default {
  rootDir,
  testTimeout: TEST_TIMEOUT_MS,
  maxWorkers: WORKERS,
  // Of Jest's own runner: the heap of a worker grows with each file. At several gigabytes, collecting garbage takes much of
  // its time.
  workerIdleMemoryLimit: '700MB',
  testSequencer: '<rootDir>/scripts/browser-tests-first.js',
  projects: layers.flatMap((layer) => {
    const project = { ...standard, displayName: layer, testRegex: testRegexOf(rootDir, layer) }
    if (layer === 'unit')
      return [
        { ...project, ...bareNode, testRegex: testRegexOf(rootDir, layer, 'node') },
        { ...project, testRegex: testRegexOf(rootDir, layer, 'browser') },
      ]
    return [{ ...project, ...(layer === 'dom' && dom), ...(usesBackends(layer) && bareNode) }]
  }),
}
