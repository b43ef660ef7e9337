import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

// Stands for start.ts, which takes too long to start.
const script = `
  import { onStopRequest } from '${import.meta.dirname}/on-stop-request.ts'
  onStopRequest(() => {
    console.log('stopped')
    process.exit()
  })
  setInterval(() => undefined, 1_000)
  console.log('started')`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'confetti-run-'))
  await writeFile(join(folder, 'script.mjs'), script)
  const start = `node ${import.meta.dirname}/run.mjs ${join(folder, 'script.mjs')}`
  await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts: { start } }))
})
afterAll(() => rm(folder, { recursive: true }))

/** Ends what the command has left running. */
const killGroup = ({ pid = 0 }: ChildProcess): void => {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing is left.
  }
}

test.each([
  ['run.mjs', () => [process.execPath, join(import.meta.dirname, 'run.mjs'), join(folder, 'script.mjs')]],
  ['npm', () => ['npm', 'start', '--silent']],
])('When %s is killed, then the script that it runs is told to stop', async (_, getCommand) => {
  const [program = '', ...args] = getCommand()
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'], detached: true })
  const lines: string[] = []
  const output = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  try {
    await once(output, 'line')
    child.kill('SIGKILL')
    await once(output, 'close', { signal: AbortSignal.timeout(30_000) })
    expect(lines).toEqual(['started', 'stopped'])
  } finally {
    killGroup(child)
  }
})
