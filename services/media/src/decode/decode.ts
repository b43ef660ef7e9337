import type { ChildProcess } from 'node:child_process'
import { isVideo, type MediaType } from '@confetti/contracts'
import { unavailable } from '@confetti/service-kit'
import {
  CPU_TIME_EXCEEDED_STATUS,
  type Decoded,
  type DecodeJob,
  type DecodeLimits,
  DecoderCrashError,
  type DecoderResult,
  type DecoderTask,
  type DecoderTasks,
  HEIF_FALLBACK,
  LARGE_FILE,
  LARGE_FILE_ALLOWED,
  MEMORY_EXCEEDED_STATUS,
  UnprocessableMediaError,
} from './decoder-protocol.ts'
import { killGroup, startDecoder, type WarmDecoders } from './decoder-processes.ts'
import type { Programs } from './programs.ts'

/** A file that a guest has uploaded, on the local disk. */
interface Original {
  file: string
  /** Where the decoder may write; the caller removes it. */
  folder: string
}

/** Makes thumbnail and preview of a photo or a video, and of a photo a copy if it is asked for, and reads its metadata. */
export type Decode = (
  original: Original & { contentType: MediaType; guestId?: string } & Pick<DecodeJob, 'copy'>,
) => Promise<Decoded>
/** Makes an MP4 of a video that all browsers play. Resolves with its file, in the folder of the original. */
export type Render = (original: Original) => Promise<string>

interface Settings extends DecodeLimits {
  /** Longer than the limit on processor time: on a busy machine decoders wait for a processor. */
  wallClockLimitMs: number
  priority: 'low' | 'normal'
  programs: Programs
  path: string
  warmDecoders: WarmDecoders
  /** Called when a second decoder is given a HEIF that the first one has refused. */
  onHeifFallback: () => void
}

/** The decoder that decodes a large file. There is one at most, as it needs more memory than others. */
interface LargeFileLock {
  holder?: ChildProcess | undefined
}

interface DecoderUse {
  largeFile: LargeFileLock
  /** Whose next files the decoder may wait for. */
  guestId?: string | undefined
  /** A decoder that has waited for the file. */
  warmDecoder?: ChildProcess
}

// Typical photos leave 100 to 200 MB. Only the end of a decoder gives back to the system what a larger file has left.
const MAX_WARM_BYTES = 256 * 1_048_576

/**
 * Runs a task on a file in a separate process, so that a crash, a hang or a memory leak does not affect the worker, nor
 * files of another guest. Throws `UnprocessableMediaError` if the file is the cause, `DecoderCrashError` if the cause is
 * unknown, and another error if the machine is the cause, or another large file is being decoded.
 */
const runDecoder = <T extends DecoderTask>(
  task: T,
  original: Original & { contentType?: MediaType },
  { path, priority, wallClockLimitMs, onHeifFallback, warmDecoders, ...settings }: Settings,
  { largeFile, guestId, warmDecoder }: DecoderUse,
): Promise<DecoderTasks[T]> => {
  const job: DecodeJob = { task, ...original, ...settings }
  return new Promise((resolve, reject) => {
    const child = warmDecoder ?? startDecoder(job, { path, priority })
    let outcome: DecoderResult<T> | undefined
    let isTimedOut = false
    let isPostponed = false
    let stderr = ''
    const timer = setTimeout(() => {
      isTimedOut = true
      killGroup(child)
    }, wallClockLimitMs)

    const onStderr = (chunk: Buffer): void => {
      stderr = `${stderr}${chunk.toString()}`.slice(-2_000)
    }
    const onLargeFile = (): void => {
      isPostponed = largeFile.holder !== undefined
      if (isPostponed) {
        killGroup(child)
        return
      }
      largeFile.holder = child
      // They would take memory that the large file may need.
      warmDecoders.killAll()
      child.send(LARGE_FILE_ALLOWED)
    }
    const onMessage = (message: unknown): void => {
      if (message === HEIF_FALLBACK) onHeifFallback()
      else if (message === LARGE_FILE) onLargeFile()
      else {
        const received = message as DecoderResult<T>
        outcome = received
        const isSmall = 'result' in received && received.residentBytes < MAX_WARM_BYTES
        if (guestId !== undefined && isSmall && !largeFile.holder) {
          stopListening()
          warmDecoders.keep(guestId, child)
          resolve(received.result)
        } else killGroup(child)
      }
    }
    const onError = (error: Error): void => {
      stopListening()
      // Without a pid no process was created, and the machine is the cause.
      const StartError = child.pid ? DecoderCrashError : Error
      reject(new StartError('The decoder could not be started', { cause: error }))
    }
    const onClose = (code: number | null, signal: NodeJS.Signals | null): void => {
      stopListening()
      killGroup(child)
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
    }
    const stopListening = (): void => {
      clearTimeout(timer)
      child.off('message', onMessage).off('error', onError).off('close', onClose)
      child.stderr?.off('data', onStderr)
      if (largeFile.holder === child) largeFile.holder = undefined
    }
    child.on('message', onMessage).once('error', onError).once('close', onClose)
    child.stderr?.on('data', onStderr)
    warmDecoder?.send(job)
  })
}

/** Throws if the worker lacks a program. The message is retried, so that a worker that has it can process the video later. */
const requirePrograms = (task: DecoderTask, { hasFfmpeg, canRender }: Programs): void => {
  if (task !== 'photo' && !hasFfmpeg) throw new Error('ffmpeg or ffprobe is not on the PATH')
  if (task === 'rendition' && !canRender) throw new Error('ffmpeg cannot encode H.264 or AAC')
}

export const makeDecode = (settings: Settings): Decode => {
  const largeFile: LargeFileLock = {}
  return async ({ guestId, ...original }) => {
    const task = isVideo(original.contentType) ? 'video' : 'photo'
    requirePrograms(task, settings.programs)
    const warmDecoder = guestId === undefined ? undefined : settings.warmDecoders.take(guestId)
    if (warmDecoder)
      try {
        return await runDecoder(task, original, settings, { largeFile, guestId, warmDecoder })
      } catch (error) {
        // What earlier files have left in the decoder may be the cause.
        if (!(error instanceof UnprocessableMediaError || error instanceof DecoderCrashError)) throw error
      }
    return runDecoder(task, original, settings, { largeFile, guestId })
  }
}

export const makeRender = (settings: Settings): Render => {
  const largeFile: LargeFileLock = {}
  return async (original) => {
    requirePrograms('rendition', settings.programs)
    return runDecoder('rendition', original, settings, { largeFile })
  }
}
