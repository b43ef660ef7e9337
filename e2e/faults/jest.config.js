import { standard } from '../../jest.config.js'

/** @type {import('jest').Config} */
export default {
  ...standard,
  testMatch: ['<rootDir>/e2e/faults/**/*.faults.ts'],
  // On a busy machine, delays cannot be distinguished from faults: the scenarios run one after the other.
  maxWorkers: 1,
  // Scenarios have time limits of their own; on a busy machine, thumbnails take minutes.
  testTimeout: 900_000,
}
