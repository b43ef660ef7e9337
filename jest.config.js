import { fileURLToPath } from 'node:url'
import { layers, testRegexOf } from './scripts/test-layers.ts'

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

/** @type {import('jest').Config} */
export default {
  rootDir,
  // Longer than the timeout of `eventually`, whose error names the condition that was not met.
  testTimeout: 180_000,
  maxWorkers: 2,
  // The heap of a worker grows with each file. At several gigabytes, collecting garbage takes much of its time.
  workerIdleMemoryLimit: '700MB',
  testSequencer: '<rootDir>/scripts/browser-tests-first.js',
  projects: layers.map((layer) => ({
    ...standard,
    ...(layer === 'dom' && dom),
    displayName: layer,
    testRegex: testRegexOf(rootDir, layer),
  })),
}
