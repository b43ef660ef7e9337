import { expect, test } from '@jest/globals'
import { publicRoutes } from '@confetti/contracts'
import { findRoute } from './route-table.ts'

test('When a path is that of a public route, then the route is found, fixed paths before ids', () => {
  for (const { method, path } of Object.values(publicRoutes)) {
    const name = `${method.toUpperCase()} ${path}`
    expect(findRoute(method.toUpperCase(), path.replaceAll(/[{}]/g, '')).name).toBe(name)
  }
})

test('When a path is very long, then it is rejected with little processor time', () => {
  const before = process.cpuUsage()
  expect(() => findRoute('GET', `/api/events/${'%41'.repeat(100_000)}{`)).toThrow('could not be read')
  expect(() => findRoute('GET', '/a'.repeat(100_000))).toThrow('nothing at this address')
  const { user, system } = process.cpuUsage(before)
  // In microseconds. An expression that backtracks takes minutes.
  expect(user + system).toBeLessThan(500_000)
})
