import { expect, test } from '@jest/globals'
import { publicRoutes } from '@confetti/contracts'
import { findRoute } from './route-table.ts'

test('Each public call is found by its own path, fixed paths before ids', () => {
  for (const { method, path } of Object.values(publicRoutes)) {
    const name = `${method.toUpperCase()} ${path}`
    expect(findRoute(method.toUpperCase(), path.replaceAll(/[{}]/g, '')).name).toBe(name)
  }
})

test('A very long address is judged in no time', () => {
  const started = performance.now()
  expect(() => findRoute('GET', `/api/events/${'%41'.repeat(100_000)}{`)).toThrow('could not be read')
  expect(() => findRoute('GET', '/a'.repeat(100_000))).toThrow('nothing at this address')
  expect(performance.now() - started).toBeLessThan(500)
})
