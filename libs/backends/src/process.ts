import { spawn } from 'node:child_process'
import { closeSync, openSync, rmSync } from 'node:fs'
import type { ProcessSpec, RunningServer } from './backend.ts'
import { writeProcessRecord } from './process-records.ts'

/**
 * Starts a process that appends its output to the log file. The record file exists while the process runs.
 */
export const launchProcess = (spec: ProcessSpec, logFile: string, recordFile: string): RunningServer => {
  const output = openSync(logFile, 'a')
  // Detached, so that Ctrl-C in a terminal reaches only the caller, which then stops the servers in order.
  const child = spawn(spec.command, spec.args, {
    detached: true,
    stdio: ['ignore', output, output],
    ...(spec.env && { env: spec.env }),
  })
  closeSync(output)
  if (child.pid) writeProcessRecord(recordFile, child.pid, spec.stopSignal)
  const exited = new Promise<void>((resolve) => {
    const onExit = () => {
      rmSync(recordFile, { force: true })
      resolve()
    }
    child.once('error', onExit).once('exit', onExit)
  })
  return { exited, sendSignal: (signal) => void child.kill(signal) }
}
