import { execFile } from 'node:child_process'
import type { DecodeJob } from './decoder-protocol.ts'

// No picture is longer than a preview of raw pixels.
const MAX_OUTPUT_BYTES = 16 * 1_048_576

export interface ProgramResult {
  ok: boolean
  stdout: Buffer
  stderr: string
}

/**
 * Runs a program on a guest's file, with the limits of the job; its time limit is the decoder's. Rejects when it
 * could not be run or something outside killed it.
 */
export const runProgram = (
  name: string,
  args: readonly string[],
  { memoryBytes, timeLimitMs, programs, folder }: DecodeJob,
): Promise<ProgramResult> =>
  new Promise((resolve, reject) => {
    // Processor time is limited too, for a program whose worker was killed and cannot kill it any more.
    const limits = [`--as=${memoryBytes}`, `--cpu=${Math.ceil(timeLimitMs / 1_000)}`]
    const [command, ...rest] = programs.prlimit
      ? (['prlimit', ...limits, name, ...args] as const)
      : ([name, ...args] as const)
    execFile(
      command,
      rest,
      { cwd: folder, encoding: 'buffer', maxBuffer: MAX_OUTPUT_BYTES },
      (error, stdout, stderr) => {
        const ran = !error || typeof error.code === 'number' || (error.signal && error.signal !== 'SIGKILL')
        if (ran) resolve({ ok: !error, stdout, stderr: stderr.toString() })
        else reject(new Error(`${name} was cut off: ${error.message}`))
      },
    )
  })
