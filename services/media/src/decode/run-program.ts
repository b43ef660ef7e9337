import { execFile } from 'node:child_process'
import type { DecodeJob } from './decoder-protocol.ts'
import { UnprocessableMediaError } from './errors.ts'

// The longest output is a frame: the raw pixels of a preview.
const MAX_OUTPUT_BYTES = 16 * 1_048_576

// ffmpeg handles SIGXCPU and exits with this status. Other failures of a file have another one.
const FFMPEG_INTERRUPTED_STATUS = 255

export interface ProgramResult {
  ok: boolean
  stdout: Buffer
  stderr: string
}

/**
 * Runs a program on a file within the limits of the job. Rejects with `UnprocessableMediaError` if the program exceeds
 * its processor time, and with another error if it cannot be run or is killed from outside.
 */
export const runProgram = (
  name: string,
  args: readonly string[],
  { memoryBytes, cpuTimeLimitMs, programs, folder }: DecodeJob,
): Promise<ProgramResult> =>
  new Promise((resolve, reject) => {
    // SIGXCPU at the soft limit shows why the program ended; SIGKILL follows at the hard limit, a second later.
    const softLimitSeconds = Math.ceil(cpuTimeLimitMs / 1_000)
    const limits = [`--as=${memoryBytes}`, `--cpu=${softLimitSeconds}:${softLimitSeconds + 1}`]
    const [command, ...rest] = programs.hasPrlimit
      ? (['prlimit', ...limits, name, ...args] as const)
      : ([name, ...args] as const)
    execFile(
      command,
      rest,
      { cwd: folder, encoding: 'buffer', maxBuffer: MAX_OUTPUT_BYTES },
      (error, stdout, stderr) => {
        const hasRun =
          !error || typeof error.code === 'number' || (error.signal && error.signal !== 'SIGKILL')
        const isOutOfTime =
          error?.signal === 'SIGXCPU' ||
          (programs.hasPrlimit && name === 'ffmpeg' && error?.code === FFMPEG_INTERRUPTED_STATUS)
        if (isOutOfTime) reject(new UnprocessableMediaError('The file takes too long to open.'))
        else if (hasRun) resolve({ ok: !error, stdout, stderr: stderr.toString() })
        else reject(new Error(`${name} did not finish: ${error.message}`))
      },
    )
  })
