import { spawn } from 'node:child_process'
import { closeSync, openSync, rmSync } from 'node:fs'
import type { ProcessSpec, Running } from './plan.ts'
import { writeRecord } from './records.ts'

/** Runs a process, appends what it writes to the log, and notes it in the record while it runs. */
export const launchProcess = (spec: ProcessSpec, log: string, record: string): Running => {
  const output = openSync(log, 'a')
  // Detached: Ctrl-C in a terminal reaches the caller alone, who then ends things in order.
  const child = spawn(spec.command, spec.args, {
    detached: true,
    stdio: ['ignore', output, output],
    ...(spec.env && { env: spec.env }),
  })
  closeSync(output)
  if (child.pid) writeRecord(record, child.pid, spec.stopSignal)
  const ended = new Promise<void>((resolve) => {
    const over = () => {
      rmSync(record, { force: true })
      resolve()
    }
    child.once('error', over).once('exit', over)
  })
  return { ended, send: (signal) => void child.kill(signal) }
}
