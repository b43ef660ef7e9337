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
])('When the process %s, then the limit of connections follows from it', async (_, report, limit) => {
  jest.spyOn(process.report, 'getReport').mockReturnValue(report)
  const registry = new Registry()
  limitConnections([new Server()], 5_000, registry)
  expect(await registry.metrics()).toContain(`http_connections_limit ${limit}\n`)
})
