/** @type {import('jest').Config} */
export default {
  // Tests of browser code select jsdom with a `@jest-environment jsdom` comment.
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
  moduleNameMapper: { '\\.css$': '<rootDir>/libs/ui/test/css-modules-mock.js' },
  setupFiles: ['<rootDir>/libs/ui/test/jsdom-setup.js'],
  modulePathIgnorePatterns: ['<rootDir>/.confetti/'],
  // Longer than the timeout of `eventually`, whose error names the condition that was not met.
  testTimeout: 180_000,
  maxWorkers: 2,
  // The heap of a worker grows with each file. At several gigabytes, collecting garbage takes much of its time.
  workerIdleMemoryLimit: '700MB',
  testSequencer: '<rootDir>/scripts/browser-tests-first.js',
  testMatch: ['**/*.test.{ts,tsx}'],
}
