import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'

// A minute beside other tests on a slow machine. The nightly layer plays two thousand.
const SEEDS = 40

// In processes of their own: a simulation takes clock, timers and random numbers of the whole process.
const simulate = async (...args: string[]): Promise<string> => {
  const main = fileURLToPath(new URL('src/main.ts', import.meta.url))
  const run = promisify(execFile)(process.execPath, [main, ...args], { maxBuffer: 1 << 28 })
  const { stdout } = await run.catch((error: unknown) => error as { stdout: string })
  return stdout
}

test(`When ${SEEDS} evenings are played with faults, then every promise holds`, async () => {
  expect(await simulate('--seeds', String(SEEDS))).toMatch(
    new RegExp(`^${SEEDS} evenings of .*: 0 failed$`, 'm'),
  )
})

test('When an evening is played again, then the same happens in the same order', async () => {
  const [first, second] = await Promise.all([simulate('--seed', '3'), simulate('--seed', '3')])
  expect(first).toContain('Seed 3: nothing fails')
  expect(second).toBe(first)
})
