import { execFile } from 'node:child_process'
import type { DecodeJob } from './decoder-protocol.ts'
import { MediaProblem } from './media-problem.ts'

// No picture is longer than a preview of raw pixels.
const MAX_OUTPUT_BYTES = 16 * 1_048_576

// ffmpeg catches the signal and ends with this; for other failures of a file it ends with another.
const FFMPEG_INTERRUPTED_STATUS = 255

export interface ProgramResult {
  ok: boolean
  stdout: Buffer
  stderr: string
}

/**
 * Runs a program on a guest's file, with the limits of the job. Rejects with a MediaProblem when it used up its
 * processor time, and with another error when it could not be run or something outside killed it.
 */
export const runProgram = (
  name: string,
  args: readonly string[],
  { memoryBytes, timeLimitMs, programs, folder }: DecodeJob,
): Promise<ProgramResult> =>
  new Promise((resolve, reject) => {
    // A second more until it is killed, as the first limit can be told from other ends.
    const seconds = Math.ceil(timeLimitMs / 1_000)
    const limits = [`--as=${memoryBytes}`, `--cpu=${seconds}:${seconds + 1}`]
    const [command, ...rest] = programs.prlimit
      ? (['prlimit', ...limits, name, ...args] as const)
      : ([name, ...args] as const)
    execFile(
      command,
      rest,
      { cwd: folder, encoding: 'buffer', maxBuffer: MAX_OUTPUT_BYTES },
      (error, stdout, stderr) => {
        const ran = !error || typeof error.code === 'number' || (error.signal && error.signal !== 'SIGKILL')
        const outOfTime =
          error?.signal === 'SIGXCPU' ||
          (programs.prlimit && name === 'ffmpeg' && error?.code === FFMPEG_INTERRUPTED_STATUS)
        if (outOfTime) reject(new MediaProblem('The file takes too long to open.'))
        else if (ran) resolve({ ok: !error, stdout, stderr: stderr.toString() })
        else reject(new Error(`${name} was cut off: ${error.message}`))
      },
    )
  })
