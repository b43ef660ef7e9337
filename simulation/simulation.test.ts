import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'

// In processes of their own: a simulation takes clock, timers and random numbers of the whole process.
const simulate = async (...args: string[]): Promise<string> => {
  const main = fileURLToPath(new URL('src/main.ts', import.meta.url))
  const run = promisify(execFile)(process.execPath, [main, ...args], { maxBuffer: 1 << 28 })
  const { stdout } = await run.catch((error: unknown) => error as { stdout: string })
  return stdout
}

// Forty evenings, a minute beside other tests; in four tests, as a machine that has four times as much to do takes longer than
// one test may. The nightly layer plays two thousand.
test.each([0, 10, 20, 30])(
  'When ten evenings from seed %i on are played with faults, then every promise holds',
  async (from) => {
    expect(await simulate('--seeds', '10', '--from', String(from))).toMatch(/^10 evenings of .*: 0 failed$/m)
  },
)

test('When an evening is played again, then the same happens in the same order', async () => {
  const [first, second] = await Promise.all([simulate('--seed', '3'), simulate('--seed', '3')])
  expect(first).toContain('Seed 3: nothing fails')
  expect(second).toBe(first)
})
