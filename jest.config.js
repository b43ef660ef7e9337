/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': ['@swc/jest', { jsc: { target: 'es2024', parser: { syntax: 'typescript' } } }] },
  modulePathIgnorePatterns: ['<rootDir>/.confetti/'],
  testTimeout: 60_000,
  maxWorkers: 2,
  testMatch: ['**/*.test.ts'],
}
