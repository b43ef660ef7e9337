import { fork, type ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isVideo, type MediaType } from '@confetti/contracts'
import { unavailable } from '@confetti/service-kit'
import {
  CPU_TIME_EXCEEDED_STATUS,
  HEIF_FALLBACK,
  LARGE_FILE,
  LARGE_FILE_ALLOWED,
  MEMORY_EXCEEDED_STATUS,
  type Decoded,
  type DecodeJob,
  type DecodeLimits,
  type DecoderResult,
  type DecoderTask,
  type DecoderTasks,
} from './decoder-protocol.ts'
import { DecoderCrashError, UnprocessableMediaError } from './errors.ts'
import type { Programs } from './programs.ts'

/** A file that a guest has uploaded, on the local disk. */
interface Original {
  file: string
  /** Where the decoder may write; the caller removes it. */
  folder: string
}

/** Makes thumbnail and preview of a photo or a video, and reads its metadata. */
export type Decode = (original: Original & { contentType: MediaType }) => Promise<Decoded>
/** Makes an MP4 of a video that all browsers play. Resolves with its file, in the folder of the original. */
export type Render = (original: Original) => Promise<string>

interface Settings extends DecodeLimits {
  /** Longer than the limit on processor time: on a busy machine decoders wait for a processor. */
  wallClockLimitMs: number
  priority: 'low' | 'normal'
  programs: Programs
  path: string
  /** Called when a second decoder is given a HEIF that the first one has refused. */
  onHeifFallback: () => void
}

// Its extension is another one in a bundle.
const decoder = fileURLToPath(new URL(`./decoder${extname(import.meta.filename)}`, import.meta.url))

const { PRIORITY_BELOW_NORMAL } = constants.priority

/**
 * Lowers the priority of a process that leads a session, and of its children, so that services that share its
 * processors and receive uploads run first. Linux may divide processor time between sessions before it considers
 * priorities: see autogroups in sched(7).
 */
const lowerPriority = (pid: number): void => {
  try {
    setPriority(pid, PRIORITY_BELOW_NORMAL)
    writeFileSync(`/proc/${pid}/autogroup`, String(PRIORITY_BELOW_NORMAL))
  } catch {
    // The process has ended, or the system has no autogroups or allows no more than ten changes a second.
  }
}

/** Kills a decoder and the programs that it has started, which are in its process group. */
const killGroup = ({ pid }: ChildProcess): void => {
  try {
    if (pid) process.kill(-pid, 'SIGKILL')
  } catch {
    // All processes of the group have ended.
  }
}

/** The decoder that decodes a large file. There is one at most, as it needs more memory than others. */
interface LargeFileLock {
  holder?: ChildProcess | undefined
}

/**
 * Runs a task on a file in a separate process, so that a crash, a hang or a memory leak does not affect the worker. Throws
 * `UnprocessableMediaError` if the file is the cause, `DecoderCrashError` if the cause is unknown, and another error if
 * the machine is the cause, or another large file is being decoded.
 */
const runDecoder = <T extends DecoderTask>(
  task: T,
  original: Original & { contentType?: MediaType },
  { path, priority, wallClockLimitMs, onHeifFallback, ...settings }: Settings,
  largeFile: LargeFileLock,
): Promise<DecoderTasks[T]> => {
  const job: DecodeJob = { task, ...original, ...settings }
  // The message is retried, so that a worker with ffmpeg can process the video later.
  if (task !== 'photo' && !settings.programs.hasFfmpeg)
    return Promise.reject(new Error('ffmpeg or ffprobe is not on the PATH'))
  if (task === 'rendition' && !settings.programs.canRender)
    return Promise.reject(new Error('ffmpeg cannot encode H.264 or AAC'))

  return new Promise((resolve, reject) => {
    const child = fork(decoder, [JSON.stringify(job)], {
      execArgv: [],
      // The decoder parses untrusted bytes, so it gets none of the worker's secrets.
      env: { PATH: path },
      // Its own process group: Ctrl-C in a terminal does not interrupt a decode, and `killGroup` ends all of it.
      detached: true,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    if (child.pid && priority === 'low') lowerPriority(child.pid)
    let outcome: DecoderResult<T> | undefined
    let isTimedOut = false
    let isPostponed = false
    let stderr = ''
    const timer = setTimeout(() => {
      isTimedOut = true
      killGroup(child)
    }, wallClockLimitMs)

    child.stderr?.on('data', (chunk: Buffer) => {
      stderr = `${stderr}${chunk.toString()}`.slice(-2_000)
    })
    child.on('message', (message) => {
      if (message === HEIF_FALLBACK) onHeifFallback()
      else if (message === LARGE_FILE) {
        isPostponed = largeFile.holder !== undefined
        if (isPostponed) {
          killGroup(child)
          return
        }
        largeFile.holder = child
        child.send(LARGE_FILE_ALLOWED)
      } else outcome = message as DecoderResult<T>
    })
    child.once('error', (error) => {
      clearTimeout(timer)
      // Without a pid no process was created, and the machine is the cause.
      const StartError = child.pid ? DecoderCrashError : Error
      reject(new StartError('The decoder could not be started', { cause: error }))
    })
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      killGroup(child)
      if (largeFile.holder === child) largeFile.holder = undefined
      if (outcome && 'result' in outcome) resolve(outcome.result)
      else if (outcome && 'unprocessable' in outcome)
        reject(new UnprocessableMediaError(outcome.unprocessable, stderr ? { cause: stderr } : {}))
      // Its slot is free for smaller files meanwhile.
      else if (isPostponed) reject(unavailable('Another large file is being decoded'))
      else if (isTimedOut)
        reject(new DecoderCrashError(`The decoder did not finish within ${wallClockLimitMs} ms`))
      else if (code === CPU_TIME_EXCEEDED_STATUS)
        reject(new UnprocessableMediaError('The file takes too long to open.'))
      else if (code === MEMORY_EXCEEDED_STATUS)
        reject(new UnprocessableMediaError('The file needs too much memory to open.'))
      else
        reject(new DecoderCrashError(outcome?.error ?? `The decoder ended with ${signal ?? code}: ${stderr}`))
    })
  })
}

export const makeDecode = (settings: Settings): Decode => {
  const largeFile: LargeFileLock = {}
  return (original) =>
    runDecoder(isVideo(original.contentType) ? 'video' : 'photo', original, settings, largeFile)
}

export const makeRender = (settings: Settings): Render => {
  const largeFile: LargeFileLock = {}
  return (original) => runDecoder('rendition', original, settings, largeFile)
}
