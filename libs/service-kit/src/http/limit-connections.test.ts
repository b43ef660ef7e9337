import { Server } from 'node:http'
import { afterEach, expect, jest, test } from '@jest/globals'
import { Registry } from 'prom-client'
import { limitConnections } from './connections.ts'

afterEach(() => void jest.restoreAllMocks())

test.each([
  ['can open few files', { userLimits: { open_files: { soft: 1_024 } } }, 409],
  ['can open many files', { userLimits: { open_files: { soft: 1_048_576 } } }, 5_000],
  ['has no limit of files', { userLimits: { open_files: { soft: 'unlimited' } } }, 5_000],
  ['runs on Windows, whose reports have no limits', {}, 5_000],
])('When the process %s, then the limit of connections follows from it', (_, report, limit) => {
  jest.spyOn(process.report, 'getReport').mockReturnValue(report)
  const server = new Server()
  limitConnections(server, 5_000, new Registry())
  expect(server.maxConnections).toBe(limit)
})
