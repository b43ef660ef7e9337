import { fileURLToPath } from 'node:url'
import standard from '../../jest.config.js'

/** @type {import('jest').Config} */
export default {
  ...standard,
  rootDir: fileURLToPath(new URL('../..', import.meta.url)),
  testMatch: ['<rootDir>/e2e/faults/**/*.faults.ts'],
  // Each breaks a system of its own, and a fault is told from a busy machine only where nothing else runs.
  maxWorkers: 1,
  testTimeout: 300_000,
}
