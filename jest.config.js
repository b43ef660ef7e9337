/** @type {import('jest').Config} */
export default {
  // Tests of the browser's code begin with `@jest-environment jsdom`.
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
        },
      },
    ],
  },
  moduleNameMapper: { '\\.css$': '<rootDir>/libs/ui/test/styles.js' },
  setupFiles: ['<rootDir>/libs/ui/test/browser.js'],
  modulePathIgnorePatterns: ['<rootDir>/.confetti/'],
  // More than `eventually` waits, which then names what did not come true.
  testTimeout: 180_000,
  maxWorkers: 2,
  testMatch: ['**/*.test.{ts,tsx}'],
}
