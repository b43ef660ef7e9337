import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isVideo, type MediaType } from '@confetti/contracts'
import {
  OUT_OF_MEMORY_STATUS,
  OUT_OF_TIME_STATUS,
  type Decoded,
  type DecodeJob,
  type DecodeLimits,
  type DecoderAnswer,
} from './decoder-protocol.ts'
import { giveWay } from './give-way.ts'
import { DecoderDied, MediaProblem } from './media-problem.ts'
import type { Programs } from './programs.ts'

/** A guest's file, on our disk. */
interface Original {
  file: string
  /** Where the decoder may write; the caller removes it. */
  folder: string
  contentType: MediaType
}

export type Decode = (original: Original) => Promise<Decoded>

// A busy machine lets decoders wait, which is no fault of the file: they may take so many times their processor time.
const PATIENCE = 5

const decoder = fileURLToPath(new URL('./decoder.ts', import.meta.url))

/** Ends a decoder and the programs that it has started: they are a process group of their own. */
const killGroup = ({ pid }: ChildProcess): void => {
  try {
    if (pid) process.kill(-pid, 'SIGKILL')
  } catch {
    // All of it has ended already.
  }
}

/**
 * Decodes a guest's file in a process of its own, which may crash, hang or swell without harm. Throws MediaProblem
 * when the file is at fault, DecoderDied when that cannot be told, any other error when the machine is.
 */
export const makeDecode =
  ({ path, ...settings }: DecodeLimits & { programs: Programs; path: string }): Decode =>
  ({ file, folder, contentType }) => {
    const video = isVideo(contentType)
    // Once there is a worker that has them, the same upload will get its poster.
    if (video && !settings.programs.video)
      return Promise.reject(new Error('ffmpeg or ffprobe is not on the PATH'))

    return new Promise((resolve, reject) => {
      const job: DecodeJob = { file, folder, video, ...settings }
      const child = fork(decoder, [JSON.stringify(job)], {
        execArgv: [],
        // None of our secrets, where a guest's bytes are parsed.
        env: { PATH: path },
        // Ctrl-C in a terminal goes to its whole process group; a decoder may finish.
        detached: true,
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      })
      if (child.pid) giveWay(child.pid)
      let answer: DecoderAnswer | undefined
      let late = false
      let said = ''
      const timer = setTimeout(() => {
        late = true
        killGroup(child)
      }, settings.timeLimitMs * PATIENCE)

      child.stderr?.on('data', (chunk: Buffer) => {
        said = `${said}${chunk.toString()}`.slice(-2_000)
      })
      child.on('message', (message) => {
        answer = message as DecoderAnswer
      })
      child.once('error', (error) => {
        clearTimeout(timer)
        // Where no process could be made, the machine is at fault.
        const Failure = child.pid ? DecoderDied : Error
        reject(new Failure('The decoder could not be started', { cause: error }))
      })
      child.once('close', (code, signal) => {
        clearTimeout(timer)
        killGroup(child)
        if (answer && 'decoded' in answer) resolve(answer.decoded)
        else if (answer && 'problem' in answer) reject(new MediaProblem(answer.problem))
        else if (late) reject(new DecoderDied('The decoder did not come to its end'))
        else if (code === OUT_OF_TIME_STATUS) reject(new MediaProblem('The file takes too long to open.'))
        else if (code === OUT_OF_MEMORY_STATUS)
          reject(new MediaProblem('The file needs too much memory to open.'))
        else reject(new DecoderDied(answer?.error ?? `The decoder ended with ${signal ?? code}: ${said}`))
      })
    })
  }
