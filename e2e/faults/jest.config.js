import { fileURLToPath } from 'node:url'
import standard from '../../jest.config.js'

/** @type {import('jest').Config} */
export default {
  ...standard,
  rootDir: fileURLToPath(new URL('../..', import.meta.url)),
  testMatch: ['<rootDir>/e2e/faults/**/*.faults.ts'],
  // Each breaks a system of its own, and a fault is told from a busy machine only where nothing else runs.
  maxWorkers: 1,
  // Scenarios end by limits of their own; on a busy machine thumbnails, which come last, take minutes.
  testTimeout: 900_000,
}
